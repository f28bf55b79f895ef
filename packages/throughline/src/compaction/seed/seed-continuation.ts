import { carriesMedia, hasMedia } from '../clip/describe-media.ts'
import { midTask, type ContinuationStrategy } from '../continuation/continuation.ts'
import { partsOf, type UserMessage } from '../../log/message.ts'
import { messageOf, roleOf } from './seed-messages.ts'
import type { ContextItem } from '../../log/context/context-item.ts'
import type { Continuation } from '../../log/entry.ts'

/**
 * T11 to the letter: the last user message decides. With media: its text; without an answer:
 * itself again, with its own metadata; else `continue`. Never nothing.
 */
export const seedContinuation: ContinuationStrategy = (units) => {
  const items = units.flatMap((unit) => unit.items)
  const index = items.findLastIndex((item) => roleOf(item) === 'user')
  const item = items[index]
  const user = item && messageOf(item)
  if (item === undefined || user?.role !== 'user') return midTask()
  if (hasMedia(user)) return mediaContinuation(user)
  const answered = items.slice(index + 1).some((later) => roleOf(later) === 'assistant')
  if (answered) return midTask()
  const metadata = { ...ownMetadata(item), compaction_continue: true }
  return { kind: 'unanswered', message: user, metadata }
}

function ownMetadata(item: ContextItem): Continuation['metadata'] | undefined {
  if (item.type === 'continuation') return item.continuation.metadata
  return item.type === 'message' ? item.metadata : undefined
}

function mediaContinuation(user: UserMessage): Continuation {
  const description = partsOf(user)
    .filter((part) => !carriesMedia(part))
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join(' ')
    .trim()
  const content = description
    ? `[Continuing from compaction] ${description}`
    : '[Continuing task — previous message contained media attachments]'
  return {
    kind: 'media',
    message: { role: 'user', content },
    metadata: { compaction_continue: true, had_media: true },
  }
}
