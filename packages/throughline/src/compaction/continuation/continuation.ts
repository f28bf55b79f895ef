import { describeMedia, hasMedia } from '../clip/describe-media.ts'
import { replaceParts } from '../../log/items-of.ts'
import type { Continuation } from '../../log/entry.ts'
import type { UserMessage } from '../../log/message.ts'
import type { HumanUnit, Unit } from '../../log/steps.ts'

/** What sets the agent going after a compaction, decided on the context before it. */
export type ContinuationStrategy = (units: readonly Unit[]) => Continuation | null

/** In what state a session is when it is compacted. */
type State =
  /** The last assistant finished and nothing waits. */
  | { state: 'idle' }
  /** A call waits for its approval or its result: its answer sets the agent going. */
  | { state: 'pending' }
  | { state: 'unanswered'; human: HumanUnit }
  /** Something that no human said waits at the end: the tail keeps it, and it is answer enough. */
  | { state: 'prompted' }
  | { state: 'mid-task' }

/**
 * The default (T11): nothing where nothing waits; an unanswered message with media as its
 * text; an unanswered message without media is the end of the tail already; `continue`
 * in the middle of a task.
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
