import { isSummaryBlock } from '../../compaction/render/summary-block.ts'
import { ownOrigin } from '../../session/once/log-of-messages.ts'
import { userMessages, type OriginPart } from './user-messages.ts'
import type { MessageDraft, Metadata, Origin } from '../../log/entry.ts'
import { isCommand } from '../claude-code/origin.ts'
import { fromHarnessElement } from '../../facts/human/client-forms.ts'
import { behindExample } from '../openhands/state.ts'
import { saidInParts } from './user-messages.ts'

/**
 * What stands in the user's role of a request, as the messages of those who really said it:
 * Throughline itself.
 */
export function userEntries(
  parts: readonly OriginPart[],
  at: number,
  { metadata, answers = false }: UserDetails = {},
): MessageDraft[] {
  const [first, ...others] = parts
  // If roles must alternate, a summary and what was said after it are in one message.
  if (first && others.length > 0 && isSummary(first)) {
    const details = { metadata, answers: false }
    return [...entriesOfOne([first], at, details), ...entriesOfOne(others, at, details)]
  }
  return entriesOfOne(parts, at, { metadata, answers })
}

/** What is known of a user's message beside it. */
export interface UserDetails {
  metadata?: Metadata | undefined
  /** It follows a reply that asked for a tool in words. */
  answers?: boolean | undefined
}

function entriesOfOne(
  parts: readonly OriginPart[],
  at: number,
  { metadata, answers }: UserDetails,
): MessageDraft[] {
  const [only] = parts
  const alone = parts.length === 1 && only?.part.type === 'text' ? only.part.text : undefined
  const own = alone === undefined ? undefined : insertedBy(alone)
  const said = own
    ? parts.map(({ part }) => ({ origin: own, part }))
    : saidInParts(parts.flatMap(wholeForms), answers)
  return userMessages(said, at, metadata)
}

/** What only the whole of a text tells: a command given to a client, a task behind an example. */
function wholeForms(given: OriginPart): OriginPart[] {
  const { origin, part } = given
  if (origin !== 'human' || part.type !== 'text') return [given]
  const own = fromHarnessElement(part.text)
  if (own !== undefined) return [{ origin: 'harness', part: { ...part, text: own } }]
  if (isCommand(part.text)) return [{ origin: 'harness', part }]
  return behindExample(part.text) ?? [given]
}

function isSummary({ part }: OriginPart): boolean {
  return part.type === 'text' && isSummaryBlock(part.text)
}

/** The author of messages that Throughline itself once inserted. */
function insertedBy(text: string): Origin | undefined {
  return isSummaryBlock(text) ? 'harness' : ownOrigin(text)
}
