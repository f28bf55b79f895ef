import type { Entry } from '../entry.ts'
import type { Message, Part, ToolOutput } from '../message.ts'

/** A text that somebody said or a tool printed, and the part of its message that holds it. */
export interface SaidText {
  text: string
  /** What goes on from one message to the next: an answer, an output. */
  stream: 'user' | 'assistant' | 'reasoning' | 'output' | 'system'
  part: number
}

/** The texts of a message in order; none for other entries. */
export function saidTexts(entry: Entry): SaidText[] {
  const said: SaidText[] = []
  if (entry.kind === 'message') mapSaid(entry.message, (each) => (said.push(each), each.text))
  return said
}

/** The entry with each of these texts changed. */
export function withSaid(entry: Entry, change: (said: SaidText, index: number) => string): Entry {
  if (entry.kind !== 'message') return entry
  let index = 0
  return { ...entry, message: mapSaid(entry.message, (said) => change(said, index++)) }
}

type ChangeSaid = (said: SaidText) => string

function mapSaid(message: Message, change: ChangeSaid): Message {
  const { role, content } = message
  const stream = role === 'tool' ? 'output' : role
  if (typeof content === 'string') {
    return { ...message, content: change({ text: content, stream, part: 0 }) } as Message
  }
  const parts = (content as readonly Part[]).map((each, part) =>
    mapPart(each, part, stream, change),
  )
  return { ...message, content: parts } as Message
}

function mapPart(part: Part, index: number, stream: SaidText['stream'], change: ChangeSaid): Part {
  switch (part.type) {
    case 'text':
      return { ...part, text: change({ text: part.text, stream, part: index }) }
    case 'reasoning':
      return { ...part, text: change({ text: part.text, stream: 'reasoning', part: index }) }
    case 'tool-result':
      return { ...part, output: mapOutput(part.output, index, change) }
    default:
      return part
  }
}

function mapOutput(output: ToolOutput, part: number, change: ChangeSaid): ToolOutput {
  const changed = (text: string): string => change({ text, stream: 'output', part })
  if (output.type === 'content') {
    const value = output.value.map((each) =>
      typeof each.text === 'string' ? { ...each, text: changed(each.text) } : each,
    )
    return { ...output, value }
  }
  if (output.type === 'text' || output.type === 'error-text') {
    return { ...output, value: changed(output.value) }
  }
  return output
}
