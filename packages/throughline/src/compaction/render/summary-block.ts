import type { SummaryItem } from '../../log/context/context-item.ts'
import { recallNote, summaryElement as tag } from '../../facts/human/client-forms.ts'
import type { Message } from '../../log/message.ts'

/** Turns the text of the summary block into the message that carries it. */
export type SummaryRole = (text: string) => Message

/** The default: text that came from tools must not gain the system prompt's authority. */
export const summaryAsUser: SummaryRole = (text) => ({ role: 'user', content: text })

/** The seeds' form (T8). AI SDK 7 rejects it inside `messages`. */
export const summaryAsSystem: SummaryRole = (text) => ({ role: 'system', content: text })

/**
 * The block that holds the summary for the model, with pins first and word for word. Closing tags
 * inside are escaped, so that no text can break out of the block.
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

/**
 * A block, followed by one sentence for the whole context: how the model reads back what was left
 * out. The sentence is outside the block because it is ours and not part of the summary.
 */
export function withRecallNote(block: string, recallTool: string | undefined): string {
  if (recallTool === undefined) return block
  const tool = attributeName(recallTool)
  return `${block}\n[Everything that is left out here is kept word for word. The tool ${tool} reads it back: by ref (the numbers in brackets and in placeholders), by path, or by words.]`
}

/** A name that others chose, made safe as the value of an attribute. */
export function attributeName(text: string): string {
  return text.replace(/[^\w.:/-]/g, '_').slice(0, 64)
}

const rolesOf = new WeakMap<SummaryRole, Map<string, SummaryRole>>()

/**
 * How a policy shows a summary. The same policy gets the same function, because renderings are
 * cached by it.
 */
export function summaryRoleOf({
  summaryRole,
  recallTool,
}: {
  summaryRole: SummaryRole
  recallTool?: string | undefined
}): SummaryRole {
  if (recallTool === undefined) return summaryRole
  let roles = rolesOf.get(summaryRole)
  if (!roles) rolesOf.set(summaryRole, (roles = new Map()))
  let role = roles.get(recallTool)
  if (!role) {
    role = (text) => summaryRole(withRecallNote(text, recallTool))
    roles.set(recallTool, role)
  }
  return role
}

export function isSummaryBlock(text: string): boolean {
  return text.startsWith(`<${tag}>`)
}

/**
 * The summary inside a block, including pins; `undefined` for any other text. Text after the block
 * is not part of it.
 */
export function readSummaryBlock(text: string): string | undefined {
  if (!isSummaryBlock(text)) return undefined
  const end = text.indexOf(`</${tag}>`)
  return text.slice(tag.length + 2, end === -1 ? undefined : end).trim()
}

/**
 * The text after a block; `''` if there is none. A closing tag inside a block is escaped, so the
 * first one ends it, and what follows may name the tag again.
 */
export function behindSummaryBlock(text: string): string {
  const end = text.indexOf(`</${tag}>`)
  return end === -1 ? '' : text.slice(end + tag.length + 3).trim()
}

/** The words after a block: everything except the note on reading back. */
export function saidBehindSummaryBlock(text: string): string {
  return behindSummaryBlock(text).replace(recallNote, '')
}

function escapeTag(text: string): string {
  return text.replace(/<(\/?)(prior-conversation-summary)/gi, '&lt;$1$2')
}
