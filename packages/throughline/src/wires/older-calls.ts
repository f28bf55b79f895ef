import { partsOf, type Part } from '../log/message.ts'
import type { Notes } from './note.ts'
import type { Pair } from './wire.ts'

/** What notes that a call is of the older form: without an id, and one at a time. */
export const olderForm = 'function_call'

/** The ids of calls that have none: they are numbered in the order of the conversation. */
export interface OlderCalls {
  /** The id of the next call. */
  next: () => string
  /** The id of the newest call: a result without an id is its result. */
  newest: () => string
}

/** Earlier messages are searched when the first such call comes. */
export function olderCalls(before: readonly Pair<unknown>[], notes: Notes): OlderCalls {
  let count: number | undefined
  const counted = (): number => (count ??= countIn(before, notes))
  return {
    next() {
      count = counted() + 1
      return `function_call_${count}`
    },
    newest: () => `function_call_${counted()}`,
  }
}

function countIn(before: readonly Pair<unknown>[], notes: Notes): number {
  let count = 0
  for (const message of before.flatMap(({ messages }) => messages)) {
    for (const part of partsOf(message)) if (isOlder(part, notes)) count += 1
  }
  return count
}

/** Whether a part is a call of the older form. */
export function isOlder(part: Part, notes: Notes): boolean {
  return part.type === 'tool-call' && notes.of(part)['form'] === olderForm
}
