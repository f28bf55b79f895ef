import { abortable } from '../../compaction/abortable.ts'
import { Background } from './background.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { CacheWatch } from './cache-state.ts'
import { planInput, type Internals } from '../internals.ts'
import { indexAfter, type Chronological } from '../../log/order.ts'
import { compactWithHooks } from '../../compaction/hooks/compact-with-hooks.ts'
import { emptyFacts } from '../../facts/facts-of.ts'
import { ContextFloorError } from '../../compaction/errors.ts'
import { StoreConflictError } from '../errors.ts'
import { pluginHooks } from '../plugins/plugin-hooks.ts'
import { sessionTemplate } from './session-template.ts'
import { timeSlices } from '../loop/pause.ts'
import type { Plan } from '../../compaction/plan/plan.ts'
import type { Trigger } from '../../compaction/trigger.ts'
import type { Facts } from '../../facts/facts.ts'
import type { Report } from '../../compaction/report.ts'
import type { Seq, Entry, ObservationDraft, Spending } from '../../log/entry.ts'
import type { CompactRequest } from '../options.ts'

/** The options of the request, and the newest entry known when it was made. */
interface Asked extends CompactRequest {
  trigger: Trigger
  since: Seq
}

// Someone else may change the view in between; the loser plans again on the new log. A model takes
// its time: after losing twice, the summary is made by code, which is too fast to lose.
const attempts = 10
const attemptsWithModel = 2

/** Compacts a session once, unless someone else has just done so and that is enough. */
async function compactSession(
  session: Internals,
  background: Background,
  asked: Asked,
  cache: CacheWatch,
): Promise<Report> {
  const { options, stored, views, sizes, emit, now, pluginFailures: failures } = session
  const { focus, signal } = asked
  const hooks = pluginHooks(options.plugins ?? [], {
    failed: failures.add,
    limit: session.policy.hookTimeout,
  })
  const turn = timeSlices(signal)
  for (let attempt = 1; ; attempt++) {
    await session.ready(turn)
    emit({ type: 'measured', measurement: sizes.measure(), usable: sizes.budget().usable })
    let fits = sizes.fits()
    const mayBeEarly = asked.trigger === 'auto' && fits && sizes.isDueSoon()
    const cold = mayBeEarly ? session.policy.cold(cache.state(session)) : undefined
    if (asked.trigger !== 'auto' || !fits || cold) {
      await stored.sync()
      fits = sizes.fits()
    }
    const trigger = triggerNow(asked, stored.recent)
    const template = sessionTemplate(session, asked.template)
    let spent: Spending | undefined
    try {
      // The facts need the whole log, so they are made only if something has to change.
      const leave = trigger === 'auto' && fits && !cold
      const prepared = leave ? undefined : await background.take({ template, focus, signal })
      const facts = leave ? undefined : await views.facts()
      const known = (): Facts => facts ?? emptyFacts()
      const input = background.withoutFailed(planInput(session, trigger, known, cold))
      const compacting = {
        now: now(),
        circuitBreaker: views.circuitBreaker(),
        summarizer: attempt <= attemptsWithModel ? session.summarizer : undefined,
        compactor: attempt <= attemptsWithModel ? session.compactor : undefined,
        prepared,
        focus,
        template,
        signal,
        pause: turn,
        onPlan: (plan: Plan) => emit({ type: 'compaction-started', plan }),
      }
      const compaction = await compactWithHooks(input, compacting, hooks)
      spent = compaction.report.spent
      signal?.throwIfAborted()
      if (compaction.drafts.length > 0) {
        const drafts = [...failures.take(now()), ...compaction.drafts]
        await turn()
        emit({ type: 'appended', entries: await stored.commit(drafts) })
        emit({ type: 'compaction-finished', report: compaction.report })
        await session.ready(turn)
      } else if (compaction.plan.action !== 'none') {
        emit({ type: 'compaction-skipped', report: compaction.report })
      }
      await background.after(compaction)
      if (asked.trigger === 'auto') cache.passed(session)
      return compaction.report
    } catch (error) {
      const lost = StoreConflictError.isInstance(error)
      const observations = lost ? lostNote(spent, now()) : observationsOf(error)
      if (observations.length > 0) await session.append(...observations)
      if (lost && attempt < attempts) continue
      emit({ type: 'compaction-failed', error })
      throw error
    }
  }
}

/** The cost of a summary that was not used because others changed the view in the meantime. */
function lostNote(spent: Spending | undefined, at: number): ObservationDraft[] {
  if (!spent) return []
  const observation = { type: 'note', name: 'compaction-lost', data: { spent } } as const
  return [{ kind: 'observation', at, observation }]
}

function observationsOf(error: unknown): readonly ObservationDraft[] {
  return ContextFloorError.isInstance(error) ? error.observations : []
}

/** One overflow means one compaction: after someone else's, compact only what still doesn't fit. */
function triggerNow({ trigger, since }: Asked, log: Chronological): Trigger {
  if (trigger !== 'overflow') return trigger
  return log.slice(indexAfter(log, since)).some(isCompaction) ? 'auto' : trigger
}

function isCompaction({ kind }: Entry): boolean {
  return kind === 'checkpoint' || kind === 'prune'
}

/** The compactions of a session, one after the other, and the summaries prepared for them. */
export class Compactions {
  readonly #session: Internals
  readonly #background: Background
  readonly #inTurn = oneAtATime()
  readonly #cache = new CacheWatch()
  // One for all: a host that calls again and again without a pause gives way, too.
  readonly #turn = timeSlices()

  constructor(session: Internals) {
    this.#session = session
    this.#background = new Background(session)
  }

  /** One at a time; an aborted caller doesn't wait for those before it. */
  compact(trigger: Trigger, request: CompactRequest & { since?: Seq }): Promise<Report> {
    const asked = { since: this.#session.stored.newest, ...request, trigger }
    return abortable(
      this.#inTurn(() => this.#compactNow(asked)),
      request.signal,
    )
  }

  async #compactNow(asked: Asked): Promise<Report> {
    await this.#turn()
    const report = await compactSession(this.#session, this.#background, asked, this.#cache)
    return report
  }

  /** Aborts the summary that is being prepared, if one is; one that is ready stays. */
  async stopPreparing(): Promise<void> {
    await this.#background.stop()
  }

  /** Prepares nothing any more. */
  async close(): Promise<void> {
    await this.#background.close()
  }
}
