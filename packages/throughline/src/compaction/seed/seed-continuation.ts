import { hasMedia } from '../clip/describe-media.ts'
import { midTask, type ContinuationStrategy } from '../continuation/continuation.ts'
import { partsOf, type UserMessage, type Message } from '../../log/message.ts'
import type { Continuation } from '../../log/entry.ts'
import type { Unit } from '../../log/steps.ts'

/**
 * T11 to the letter: the last user message decides. With media: its text. Without an answer: the
 * message again. Otherwise: `continue`. Never nothing.
 */
export const seedContinuation: ContinuationStrategy = (units) => {
  const messages = messagesOf(units)
  const index = messages.findLastIndex((message) => message.role === 'user')
  const user = messages[index]
  if (user?.role !== 'user') return midTask()
  if (hasMedia(user)) return mediaContinuation(user)
  const answered = messages.slice(index + 1).some((message) => message.role === 'assistant')
  if (answered) return midTask()
  return { kind: 'unanswered', message: user, metadata: { compaction_continue: true } }
}

function mediaContinuation(user: UserMessage): Continuation {
  const description = partsOf(user)
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

/** The messages of a context as the seeds see them: roles, in order. */
function messagesOf(units: readonly Unit[]): Message[] {
  return units.flatMap((unit) =>
    unit.items.flatMap((item) => {
      if (item.type === 'message') return [item.message]
      return item.type === 'continuation' ? [item.continuation.message] : []
    }),
  )
}
