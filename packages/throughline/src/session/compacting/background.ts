import { abortable } from '../../compaction/abortable.ts'
import {
  circuitBreakerIsOpen,
  spendingOf,
} from '../../compaction/summary/with-model/circuit-breaker.ts'
import { whyStale, basisOf } from '../../compaction/prepare/prepared.ts'
import { emptyFacts } from '../../facts/facts-of.ts'
import { chooseTemplate, type Template } from '../../compaction/summary/template.ts'
import { planInput, type Internals } from '../internals.ts'
import { planPreparation, prepare, type Preparation } from '../../compaction/prepare/prepare.ts'
import { snapshot } from '../../compaction/plan/snapshot.ts'
import { pause } from '../loop/pause.ts'
import { sessionTemplate } from './session-template.ts'
import { callsBefore, callsOf } from '../../compaction/summary/with-model/summarize-with-model.ts'
import type { Attempt } from '../../compaction/report.ts'
import type { DiscardReason, Prepared, Basis } from '../../compaction/prepare/prepared.ts'
import type { Compaction } from '../../compaction/compaction.ts'
import type { Plan, PlanInput } from '../../compaction/plan/plan.ts'
import type { Observation, Seq, Spending } from '../../log/entry.ts'
import type { Summarizer, SummaryCall } from '../../compaction/summary/with-model/summarizer.ts'

/** The attempts made for one view of the session. */
interface Tried {
  changedAt: Seq
  /** How often a summarizer was called. */
  begun: number
  failed: number
  /** The size of the next request, in tokens, at which preparation is planned again. */
  from: number
}

/** The options of the compaction to prepare. */
interface Wanted {
  template: Template | undefined
  focus: string | undefined
}

// A preparation that was aborted with its run is started again once, but not a third time: a
// session of short runs must not pay for a summary in each of them.
const mostBegun = 2

// If there was nothing to prepare, planning starts again after this share of the usable window.
const nextTry = 0.05

/**
 * Prepares the summary of the next compaction while the agent runs. It handles one at a time and
 * starts and checks it when the session passes its gate. Failures here are reported as events, not
 * as errors of the session.
 */
export class Background {
  readonly #session: Internals
  #candidate: Candidate | undefined
  #tried: Tried = { changedAt: 0, begun: 0, failed: 0, from: 0 }
  #closed = false

  constructor(session: Internals) {
    this.#session = session
  }

  /**
   * Called when the next request fits: discards a stale preparation and, when it is time, starts a
   * new summary.
   */
  async #atGate({ measurement: { tokens }, budget: { usable, threshold } }: Plan): Promise<void> {
    const { summarizer, compactor } = this.#session
    if (!summarizer || summarizer.isAskedAnyway) return
    // The provider's own would come before it: it would be paid twice.
    if (compactor && this.#session.policy.providerCompaction === 'before') return
    const input = this.#input()
    await this.#settle(input)
    const { policy } = input
    // Messages that arrive after a finished summary are indexed as they come, not when they are
    // needed.
    if (this.#candidate?.outcome) await this.#session.views.facts()
    if (!policy.auto || this.#closed || this.#candidate) return
    const tried = this.#triedOn(input)
    if (tokens >= threshold || tokens < Math.max(policy.prepareAt(usable), tried.from)) return
    if (tried.begun >= mostBegun || tried.failed > 0) return
    if (circuitBreakerIsOpen(this.#session.views.circuitBreaker(), policy.breaker)) return
    tried.from = tokens + usable * nextTry
    this.#candidate = beginCandidate(this.#session, input, summarizer)
  }

  /**
   * The summary prepared for a compaction of the current context, if any. One in progress is
   * awaited, because another would take longer.
   * @throws the signal's reason if it is aborted.
   */
  async take(asked: Wanted & { signal: AbortSignal | undefined }): Promise<Prepared | undefined> {
    await this.#settle(this.#input(), asked)
    if (!this.#candidate) return undefined
    await abortable(this.#candidate.done, asked.signal)
    await this.#settle(this.#input(), asked)
    return this.#candidate?.outcome?.prepared
  }

  /**
   * A compaction has fewer attempts: one less for each that failed while its summary was prepared.
   */
  withoutFailed(input: PlanInput): PlanInput {
    const { failed } = this.#triedOn(input)
    if (failed === 0) return input
    const { policy } = input
    return { ...input, policy: { ...policy, attempts: policy.attempts - failed } }
  }

  /** Called after the gate, whether or not it compacted. */
  async after({ plan, drafts, prepared }: Compaction): Promise<void> {
    if (prepared === 'used') this.#candidate = undefined
    else if (prepared) await this.#discard(prepared)
    else if (drafts.length === 0) await this.#atGate(plan)
  }

  /** Aborts a summary in progress, drops a finished one, and records what it cost. */
  async #discard(reason: DiscardReason): Promise<void> {
    const candidate = this.#candidate
    if (!candidate) return
    this.#candidate = undefined
    candidate.abort()
    await candidate.done
    if (candidate.asked) this.#tried.begun += 1
    const spent = candidate.spent()
    if (!spent) return
    this.#session.emit({ type: 'preparation-discarded', reason, spent })
    await this.#note({ type: 'note', name: 'preparation-discarded', data: { reason, spent } })
  }

  /** Aborts a summary in progress; a finished one stays. */
  async stop(): Promise<void> {
    await this.#settle(this.#input())
    if (this.#candidate?.outcome === undefined) await this.#discard('ended')
  }

  /** Stops preparing for good. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#settle(this.#input())
    await this.#discard('ended')
  }

  /** Records failures and discards what can no longer be used. */
  async #settle(input: PlanInput, asked?: Wanted): Promise<void> {
    const candidate = this.#candidate
    if (!candidate) return
    const { basis, outcome } = candidate
    if (candidate.ended && !outcome?.prepared) return this.#failed(candidate, input)
    const template = asked && chooseTemplate([asked.template], input.policy.template)
    const stale = whyStale(basis, input, template ? { ...asked, template } : basis)
    if (stale) await this.#discard(stale)
  }

  async #failed({ asked, outcome }: Candidate, input: PlanInput): Promise<void> {
    this.#candidate = undefined
    const tried = this.#triedOn(input)
    if (asked) tried.begun += 1
    const { attempts = [], spent } = outcome ?? {}
    const [first] = attempts
    if (!first) return
    // What will not be better when it is asked for again, the compaction need not ask for, either.
    const isHopeless = attempts.some(({ refused }) => refused) || isAnswered(attempts.at(-1))
    tried.failed += isHopeless ? Infinity : attempts.length
    const problems = attempts.flatMap((attempt) => attempt.problems)
    await this.#note({
      type: 'failure',
      summarizer: first.summarizer,
      problems,
      ...(spent && { spent }),
    })
  }

  async #note(observation: Observation): Promise<void> {
    const { append, emit, now } = this.#session
    try {
      await append({ kind: 'observation', at: now(), observation })
    } catch (error) {
      emit({ type: 'preparation-failed', attempts: [], error })
    }
  }

  #input(): PlanInput {
    return planInput(this.#session, 'auto', emptyFacts)
  }

  #triedOn({ context: { changedAt } }: PlanInput): Tried {
    if (this.#tried.changedAt !== changedAt) {
      this.#tried = { changedAt, begun: 0, failed: 0, from: 0 }
    }
    return this.#tried
  }
}

/** Whether an answer came: it was told what was wrong with the one before, and did not do better. */
function isAnswered(attempt: Attempt | undefined): boolean {
  return attempt?.calls.some(({ failed }) => !failed) ?? false
}

/** A summary in progress, and its outcome. */
interface Candidate {
  readonly basis: Basis
  /** Whether a summarizer was called. */
  readonly asked: boolean
  /** The outcome; `undefined` while in progress, or if there was nothing to prepare. */
  readonly outcome: Preparation | undefined
  readonly ended: boolean
  /** Settles when all of its work has ended; never rejects. */
  readonly done: Promise<void>
  /** What it has cost so far. */
  spent: () => Spending | undefined
  abort: () => void
}

/** Starts a summary of the current context. */
function beginCandidate(session: Internals, now: PlanInput, summarizer: Summarizer): Candidate {
  const at = snapshot(now)
  const own = sessionTemplate(session)
  const controller = new AbortController()
  const { signal } = controller
  const meter = metered(summarizer)
  const candidate = {
    basis: basisOf(at, { template: chooseTemplate([own], at.policy.template), focus: undefined }),
    asked: false,
    outcome: undefined as Preparation | undefined,
    ended: false,
    spent: meter.spent,
    abort: () => controller.abort(),
  }

  async function work(): Promise<void> {
    try {
      // The request that passed the gate goes first; this work must not delay it.
      await pause()
      const facts = await session.views.facts(signal)
      const input = { ...at, facts: () => facts }
      await pause()
      const plan = planPreparation(input)
      if (!plan) return
      await pause()
      signal.throwIfAborted()
      candidate.asked = true
      session.emit({ type: 'preparation-started', plan })
      const circuitBreaker = session.views.circuitBreaker()
      const options = { now: session.now(), circuitBreaker, template: own, signal }
      const outcome = await prepare(input, plan, { ...options, summarizer: meter.summarizer })
      candidate.outcome = outcome
      const { attempts, prepared } = outcome
      session.emit(
        prepared
          ? { type: 'preparation-finished', attempts }
          : { type: 'preparation-failed', attempts },
      )
    } catch (error) {
      if (!signal.aborted) session.emit({ type: 'preparation-failed', attempts: [], error })
    } finally {
      candidate.ended = true
    }
  }

  // Only a listener can still throw here, and it has already been notified.
  return Object.assign(candidate, { done: work().catch(() => {}) })
}

/** A summarizer that also records what it has cost so far. */
interface Metered {
  summarizer: Summarizer
  /** Includes calls that are no longer awaited; `undefined` if nothing was asked. */
  spent: () => Spending | undefined
}

function metered(summarizer: Summarizer): Metered {
  const { name } = summarizer
  const calls: SummaryCall[] = []
  let open = 0
  return {
    summarizer: {
      ...summarizer,
      name,
      summarize: async (request, options) => {
        open += 1
        try {
          const answer = await summarizer.summarize(request, options)
          calls.push(...callsOf(answer, summarizer))
          return answer
        } catch (error) {
          calls.push(...callsBefore(error, summarizer))
          throw error
        } finally {
          open -= 1
        }
      },
    },
    spent: () => {
      const unanswered = Array.from({ length: open }, (): SummaryCall => ({ model: name }))
      return spendingOf([...calls, ...unanswered])
    },
  }
}
