import { ownOrigin } from '../../ledger/own-words.ts'
import { userMessages, saidInParts, type OriginPart } from './user-messages.ts'
import type { MessageDraft, Metadata } from '../../log/entry.ts'
import { isCommand } from '../claude-code/origin.ts'
import { fromHarnessElement } from '../../facts/human/client-forms.ts'
import { behindExample } from '../openhands/event.ts'

/**
 * What stands in the user's role of a request, as the messages of those who really said it:
 * Throughline itself.
 */
export function userEntries(
  parts: readonly OriginPart[],
  at: number,
  { metadata, answers = false }: UserDetails = {},
): MessageDraft[] {
  const [only] = parts
  const alone = parts.length === 1 && only?.part.type === 'text' ? only.part.text : undefined
  const own = alone === undefined ? undefined : ownOrigin(alone)
  const said = own
    ? parts.map(({ part }) => ({ origin: own, part }))
    : saidInParts(parts.flatMap(wholeForms), answers)
  return userMessages(said, at, metadata)
}

/** What is known of a user's message beside it. */
export interface UserDetails {
  metadata?: Metadata | undefined
  /** It follows a reply that asked for a tool in words. */
  answers?: boolean | undefined
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
