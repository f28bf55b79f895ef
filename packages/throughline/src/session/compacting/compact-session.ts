import { indexAfter } from '../../log/entry-at.ts'
import { compactWithHooks } from '../../compaction/hooks/compact-with-hooks.ts'
import { emptyFacts } from '../../facts/facts-of.ts'
import { ContextFloorError } from '../../compaction/errors.ts'
import { isStoreConflict } from '../errors.ts'
import { pluginHooks } from '../plugins/plugin-hooks.ts'
import { sessionTemplate } from './session-template.ts'
import type { CircuitBreaker } from '../../compaction/summary/with-model/circuit-breaker.ts'
import type { Plan, PlanInput, Trigger } from '../../compaction/plan/plan.ts'
import type { Report } from '../../compaction/report.ts'
import type { Facts } from '../../facts/facts.ts'
import type { Entry, ObservationDraft, Seq, Spending } from '../../log/entry.ts'
import type { Chronological } from '../../log/order.ts'
import type { Background } from './background.ts'
import type { SessionEvent } from '../events.ts'
import type { PluginFailures } from '../plugins/plugin-failures.ts'
import type { CompactRequest, SessionOptions } from '../options.ts'
import type { StoredLog } from '../stored-log.ts'

/** What a compaction needs of its session. */
export interface Compacting {
  options: SessionOptions
  stored: StoredLog
  /** Whether the next request is below the threshold. */
  fits: () => boolean
  facts: () => Promise<Facts>
  factsInPieces: (signal: AbortSignal) => Promise<Facts>
  planInput: (trigger: Trigger, facts: Facts) => PlanInput
  circuitBreaker: () => CircuitBreaker
  announce: () => void
  emit: (event: SessionEvent) => void
  pluginFailures: PluginFailures
  now: () => number
}

/** What is asked for, and the newest entry that was known when it was. */
export interface Asked extends CompactRequest {
  trigger: Trigger
  since: Seq
}

// Someone else may change the view in between; whoever loses plans again on what is new. A model
// takes its time: who has lost against others twice summarizes by code, and has hardly time to lose.
const attempts = 10
const attemptsWithModel = 2

/** Compacts a session once, unless somebody else has just done so and that is enough. */
export async function compactSession(
  session: Compacting,
  background: Background,
  asked: Asked,
): Promise<Report> {
  const { options, stored, emit, now, pluginFailures: failures } = session
  const { focus, signal } = asked
  const hooks = pluginHooks(options.plugins ?? [], failures.add)
  for (let attempt = 1; ; attempt++) {
    session.announce()
    if (asked.trigger !== 'auto' || !session.fits()) await stored.sync()
    const trigger = triggerNow(asked, stored.recent)
    const template = sessionTemplate(session, asked.template)
    let spent: Spending | undefined
    try {
      // The facts need the whole log: it is made only for what is not left as it is.
      const leave = trigger === 'auto' && session.fits()
      const prepared = leave ? undefined : await background.take({ template, focus, signal })
      const facts = leave ? emptyFacts() : await session.facts()
      const input = background.withoutFailed(session.planInput(trigger, facts))
      const compacting = {
        now: now(),
        circuitBreaker: session.circuitBreaker(),
        summarizer: attempt <= attemptsWithModel ? options.summarizer : undefined,
        prepared,
        focus,
        template,
        signal,
        onPlan: (plan: Plan) => emit({ type: 'compaction-started', plan }),
      }
      const compaction = await compactWithHooks(input, compacting, hooks)
      spent = compaction.report.spent
      signal?.throwIfAborted()
      if (compaction.drafts.length > 0) {
        const drafts = [...failures.take(now()), ...compaction.drafts]
        emit({ type: 'appended', entries: await stored.commit(drafts) })
        emit({ type: 'compaction-finished', report: compaction.report })
      } else if (compaction.plan.action !== 'none') {
        emit({ type: 'compaction-skipped', report: compaction.report })
      }
      await background.after(compaction)
      return compaction.report
    } catch (error) {
      const lost = isStoreConflict(error)
      const observations = lost ? lostNote(spent, now()) : observationsOf(error)
      if (observations.length > 0) {
        emit({ type: 'appended', entries: await stored.append(observations) })
      }
      if (lost && attempt < attempts) continue
      emit({ type: 'compaction-failed', error })
      throw error
    }
  }
}

/** What a summary took that came to nothing, because others had changed the view meanwhile. */
function lostNote(spent: Spending | undefined, at: number): ObservationDraft[] {
  if (!spent) return []
  const observation = { type: 'note', name: 'compaction-lost', data: { spent } } as const
  return [{ kind: 'observation', at, observation }]
}

function observationsOf(error: unknown): readonly ObservationDraft[] {
  return error instanceof ContextFloorError ? error.observations : []
}

/** One overflow is one compaction: behind somebody else's, only what does not fit is compacted. */
function triggerNow({ trigger, since }: Asked, log: Chronological): Trigger {
  if (trigger !== 'overflow') return trigger
  return log.slice(indexAfter(log, since)).some(isCompaction) ? 'auto' : trigger
}

function isCompaction({ kind }: Entry): boolean {
  return kind === 'checkpoint' || kind === 'prune'
}
