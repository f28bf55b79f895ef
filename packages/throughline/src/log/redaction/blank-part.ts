import { changeStrings } from './change-strings.ts'
import { redacted } from './secret.ts'
import { outputText, partsOf, type Message, type Part, type ToolOutput } from '../message.ts'
import { parseRef } from '../ref.ts'
import type { Entry } from '../entry.ts'

/** The texts of a message or of one of its parts. */
export function textsOf(said: Message | Part): string[] {
  if ('role' in said) return partsOf(said).flatMap(textsOf)
  if (said.type === 'tool-result') return [outputText(said.output)]
  const texts: string[] = []
  const { type, ...content } = said
  changeStrings(said.type === 'tool-call' ? { input: said.input } : content, (text) => {
    if (type !== 'tool-call' || /\s/.test(text)) texts.push(text)
    return text
  })
  return texts
}

/** The entry with the named part, or all of its parts, emptied. */
export function blankParts(entry: Entry, ref: string): Entry {
  const parsed = parseRef(ref)
  if (entry.kind !== 'message' || parsed?.seq !== entry.seq) return entry
  const content = partsOf(entry.message).map((part, index) =>
    parsed.part === undefined || parsed.part === index ? blank(part) : part,
  )
  return { ...entry, message: { ...entry.message, content } as Message }
}

function blank(part: Part): Part {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { type: part.type, text: redacted }
    case 'tool-call':
      return { ...part, input: changeStrings({ input: part.input }, () => redacted).input }
    case 'tool-result':
      return { ...part, output: blankOutput(part.output) }
    case 'image':
    case 'file':
    case 'reasoning-file':
      return { type: 'text', text: redacted }
    default:
      return part
  }
}

function blankOutput({ type }: ToolOutput): ToolOutput {
  const failed = type === 'error-text' || type === 'error-json' || type === 'execution-denied'
  return { type: failed ? 'error-text' : 'text', value: redacted }
}
