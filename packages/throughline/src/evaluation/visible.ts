import type { Entry } from '../log/entry.ts'
import type { Message, ToolOutput } from '../log/message.ts'
import type { Chronological } from '../log/order.ts'

/** One piece of what the model saw: a text, or the input of one tool call. */
export interface Piece {
  type: 'text' | 'call'
  text: string
}

/** What the model saw of an entry, in order; media and encrypted reasoning have no text. */
export function piecesOf(entry: Entry): Piece[] {
  if (entry.kind === 'message') return piecesOfMessage(entry.message)
  return entry.kind === 'checkpoint' ? [{ type: 'text', text: entry.summary }] : []
}

/** Tool inputs are read as their decoded strings, not as escaped JSON. */
function piecesOfMessage({ content }: Message): Piece[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return content.flatMap((part): Piece[] => {
    if (part.type === 'text' || part.type === 'reasoning')
      return [{ type: 'text', text: part.text }]
    if (part.type === 'tool-call') return [{ type: 'call', text: leavesOf(part.input).join('\n') }]
    return part.type === 'tool-result' ? [{ type: 'text', text: outputText(part.output) }] : []
  })
}

/** The text of a tool's result, whatever its shape. */
export function outputText(output: ToolOutput): string {
  if (output.type === 'execution-denied') return output.reason ?? ''
  if (output.type === 'content') return output.value.map(({ text }) => text ?? '').join('\n')
  return leavesOf(output.value).join('\n')
}

export function visibleText(entry: Entry): string {
  return textOf(piecesOf(entry))
}

export function visibleTextOf(log: Chronological): string {
  return log.map(visibleText).join('\n')
}

/** The text of messages as a model would read it. */
export function visibleTextOfMessages(messages: readonly Message[]): string {
  return textOf(messages.flatMap(piecesOfMessage))
}

/** Tokens as counted for every compactor here: UTF-8 bytes / 4. */
export function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4)
}

function textOf(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join('\n')
}

function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(leavesOf)
}
