import { anthropicBlocks } from '../writing/anthropic-blocks.ts'
import { objectsOf, textOf, type Fields } from '../../json/fields.ts'
import { partsOf } from '../../log/message.ts'
import type { WrittenMessage } from '../writing/format-writer.ts'

const refused = "The user doesn't want to proceed with this tool use."
const saying = 'the user said:\n'
// Texts that the client itself writes in the human's name.
const notTheirs = 'The user wants to clarify these questions.'

/**
 * What the human said when they refused a call. Claude Code puts it inside the call's result, but
 * it is a request like any other, and may be the latest.
 */
export function refusalWords(block: Fields): string | undefined {
  const text = resultText(block['content'])
  if (!text.startsWith(refused)) return undefined
  const at = text.indexOf(saying)
  if (at === -1) return undefined
  const words = text.slice(at + saying.length).trim()
  return words === '' || words.startsWith(notTheirs) ? undefined : words
}

/** What the human said when refusing a call is in its result, and nowhere else. */
export function withoutRefusals(messages: readonly WrittenMessage[]): WrittenMessage[] {
  return messages.filter(({ message }, index) => {
    const before = messages[index - 1]?.message
    if (message.role !== 'user' || before?.role !== 'tool') return true
    const refusals = new Set(anthropicBlocks(before).map(refusalWords))
    return !partsOf(message).every((part) => part.type === 'text' && refusals.has(part.text))
  })
}

function resultText(content: unknown): string {
  if (typeof content === 'string') return content
  return objectsOf(content)
    .map((part) => textOf(part['text']) ?? '')
    .join('\n')
}
