import { partsOf, type Message, type Part } from '../../log/message.ts'
import type { WrittenMessage } from './format-writer.ts'

/**
 * The messages with names of tools that every provider takes: letters, digits, `_` and `-`, at
 * most 64 of them, no digit first. Nearly all have such names already.
 */
export function withLegalToolNames(messages: readonly WrittenMessage[]): WrittenMessage[] {
  return messages.map((written) => {
    if (typeof written.message.content === 'string') return written
    const content = partsOf(written.message).map(renamed)
    return { ...written, message: { ...written.message, content } as Message }
  })
}

function renamed(part: Part): Part {
  if (part.type !== 'tool-call' && part.type !== 'tool-result') return part
  return { ...part, toolName: legalName(part.toolName) }
}

const longest = 64

function legalName(name: string): string {
  const letters = name.replace(/[^A-Za-z0-9_-]/g, '_')
  return (/^[A-Za-z_]/.test(letters) ? letters : `_${letters}`).slice(0, longest)
}
