import { describeMedia, hasMedia } from '../clip/describe-media.ts'
import { replaceParts } from '../../log/context/items-of.ts'
import type { Continuation } from '../../log/entry.ts'
import type { UserMessage } from '../../log/message.ts'
import type { HumanUnit, Unit } from '../../log/steps.ts'

/** What makes the agent continue after a compaction, decided on the context before it. */
export type ContinuationStrategy = (units: readonly Unit[]) => Continuation | null

/** In what state a session is when it is compacted. */
type State =
  /** The last assistant finished, and nothing is waiting. */
  | { state: 'idle' }
  /** A call is waiting for its approval or its result, which will make the agent continue. */
  | { state: 'pending' }
  | { state: 'unanswered'; human: HumanUnit }
  /** A message that no human wrote is waiting at the end. The tail keeps it, and that is enough. */
  | { state: 'prompted' }
  | { state: 'mid-task' }

/**
 * The default (T11). If nothing is waiting: no continuation. An unanswered message with media: its
 * text. An unanswered message without media: it is already the end of the tail. In the middle of a
 * task: `continue`.
 */
export const continueTask: ContinuationStrategy = (units) => {
  const found = stateOf(units)
  switch (found.state) {
    case 'idle':
    case 'pending':
    case 'prompted':
      return null
    case 'unanswered':
      return unanswered(found.human)
    case 'mid-task':
      return midTask()
  }
}

function stateOf(units: readonly Unit[]): State {
  const last = units.findLast((unit) => unit.type !== 'aside' || unit.item.type === 'message')
  if (!last) return { state: 'idle' }
  if (last.type === 'human') return { state: 'unanswered', human: last }
  if (last.type === 'aside') return { state: 'prompted' }
  if (last.status === 'pending') return { state: 'pending' }
  const finished = last.calls.length === 0 && last.item.finish !== 'length'
  return finished ? { state: 'idle' } : { state: 'mid-task' }
}

function unanswered({ message, seq }: HumanUnit): Continuation | null {
  if (!hasMedia(message)) return null
  const replacements = describeMedia(message, seq)
  return {
    kind: 'media',
    message: replaceParts(message, replacements) as UserMessage,
    metadata: { compaction_continue: true, had_media: true },
    of: seq,
    replacements,
  }
}

export function midTask(): Continuation {
  return {
    kind: 'mid-task',
    message: { role: 'user', content: 'continue' },
    metadata: { compaction_continue: true },
  }
}
