import { isReminder, reminderMark } from '../../compaction/cut/reminder-mark.ts'
import { formatTokens } from '../../tokens/windows.ts'
import { newestCompaction } from '../operations/undo.ts'
import { outputText } from '../../log/message.ts'
import { readOutcome } from '../../facts/outcome/read-outcome.ts'
import { StoreConflictError } from '../errors.ts'
import { sumEstimated, toModel } from '../../tokens/units.ts'
import { unitsOf, type StepUnit } from '../../log/steps.ts'
import type { Context } from '../../log/context/context.ts'
import type { Counter } from '../../tokens/counter.ts'
import type { Internals } from '../internals.ts'

/**
 * Tells the agent, at most once until the next compaction that was done, that one is near. The
 * reminder is an entry of the log behind the newest step: it keeps its place and its bytes, so the
 * cache of what stands before it holds. Only between two steps: never behind a human's words, where
 * a call waits, or where the newest call has failed.
 */
export async function remind(session: Internals): Promise<void> {
  const { policy, sizes, views, stored, now } = session
  const { usable, threshold } = sizes.budget()
  const { tokens } = sizes.measure()
  if (tokens < policy.remindAt(usable) || tokens >= threshold) return
  const context = views.context()
  const newest = unitsOf(context.items).at(-1)
  if (newest?.type !== 'step' || newest.status !== 'closed' || newest.calls.length === 0) return
  if (newest.results.some(hasFailed)) return
  const since = newestCompaction(stored.recent, context)?.seq ?? 0
  if (context.items.some((item) => item.seq > since && isReminder(item))) return
  const content = reminderText(context, sizes.counter)
  try {
    await session.appendAfter(context.seq, {
      kind: 'message',
      at: now(),
      origin: 'synthetic',
      message: { role: 'user', content },
      metadata: reminderMark,
    })
  } catch (error) {
    // Somebody has said something meanwhile: the agent has other things to read.
    if (!StoreConflictError.isInstance(error)) throw error
  }
}

function hasFailed({ output }: StepUnit['results'][number]): boolean {
  if (output.type === 'error-text' || output.type === 'error-json') return true
  return (readOutcome(outputText(output)).exitCode ?? 0) !== 0
}

/** Sizes, and no percentage: a model that is told how full it is waits. */
function reminderText({ items }: Context, counter: Counter): string {
  const results = items.flatMap((item) =>
    item.type === 'message' && item.message.role === 'tool' ? [counter.message(item.message)] : [],
  )
  const size = formatTokens(toModel(sumEstimated(results), counter.ratio))
  return `[Throughline, not the user: the context will be summarized soon. Outputs of tools hold about ${size} tokens of it. If a piece of work has just been finished, this is the moment to ask for a compaction, or to pin what must stay word for word. Otherwise go on; nothing has to be done.]`
}
