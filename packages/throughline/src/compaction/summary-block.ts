import type { SummaryItem } from '../log/context-item.ts'
import type { Message } from '../log/message.ts'

const tag = 'prior-conversation-summary'

/** Turns the text of the summary block into the message that carries it. */
export type SummaryRole = (text: string) => Message

/** The default: text that came out of tools must not gain the system prompt's authority. */
export const summaryAsUser: SummaryRole = (text) => ({ role: 'user', content: text })

/** The seeds' form (T8). AI SDK 7 rejects it inside `messages`. */
export const summaryAsSystem: SummaryRole = (text) => ({ role: 'system', content: text })

/**
 * The block in which the model finds the summary, pins first and word for word. A
 * closing tag inside is escaped, so that no text can step out of the block.
 */
export function summaryBlock({
  summary,
  pins,
  takenBack,
}: Pick<SummaryItem, 'summary' | 'pins' | 'takenBack'>): string {
  const pinned = pins.length === 0 ? '' : `## Pinned\n${pins.join('\n')}\n\n`
  const unpinned = takenBack.map((text) => `Taken back: ${text}\n`).join('')
  const before = unpinned === '' ? pinned : `${pinned}${unpinned}\n`
  return `<${tag}>\n${escapeTag(before + summary)}\n</${tag}>`
}

export function isSummaryBlock(text: string): boolean {
  return text.startsWith(`<${tag}>`)
}

/** The summary inside a block, pins with it; `undefined` for any other text. */
export function readSummaryBlock(text: string): string | undefined {
  if (!isSummaryBlock(text)) return undefined
  const end = text.lastIndexOf(`</${tag}>`)
  return text.slice(tag.length + 2, end === -1 ? undefined : end).trim()
}

function escapeTag(text: string): string {
  return text.replace(/<(\/?)(prior-conversation-summary)/gi, '&lt;$1$2')
}
