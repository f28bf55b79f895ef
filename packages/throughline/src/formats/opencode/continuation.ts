import { fieldsOf, nameOf, objectsOf, type Fields } from '../../json/fields.ts'
import { userMessages, type OriginPart } from '../conversation/user-messages.ts'
import { userParts } from './user-parts.ts'
import type { Continuation } from '../../log/entry.ts'
import type { Marker } from './state.ts'

/** How opencode sets the agent going again after a compaction of its own accord. */
const continueText = 'Continue if you have next steps'

/**
 * The continuation that this message is, if opencode made it for this compaction: it says
 * `continue`, or repeats the request that was too large.
 */
export function continuationOf(marker: Marker, message: Fields | undefined): Continuation | null {
  const info = fieldsOf(message?.['info'])
  if (!message || info?.['role'] !== 'user') return null
  const texts = objectsOf(message['parts'])
  const parts = texts.flatMap(userParts)
  const [draft, ...more] = userMessages(parts, 0)
  if (draft?.message.role !== 'user' || more.length > 0) return null
  const found = { message: draft.message, metadata: { compaction_continue: true } }
  if (texts.some(saysContinue)) return { kind: 'mid-task', ...found }
  const { asked, part } = marker
  if (part['overflow'] !== true || !asked || wordsOf(parts) !== asked.words) return null
  const media = parts.some(isAttached)
  if (!media) return { kind: 'unanswered', ...found, of: asked.seq }
  const metadata = { ...found.metadata, had_media: true }
  return { kind: 'media', ...found, metadata, of: asked.seq }
}

function saysContinue(part: Fields): boolean {
  if (part['synthetic'] !== true) return false
  if (fieldsOf(part['metadata'])?.['compaction_continue'] === true) return true
  return nameOf(part['text'])?.startsWith(continueText) === true
}

/** The words of the human, without what stands there in place of media. */
export function wordsOf(parts: readonly OriginPart[]): string {
  return parts
    .flatMap((given) =>
      given.origin === 'human' && given.part.type === 'text' && !isAttached(given)
        ? [given.part.text]
        : [],
    )
    .join('\n')
}

function isAttached({ part }: OriginPart): boolean {
  return part.type === 'text' && part.text.startsWith('[Attached ')
}
