import { abortable } from '../../compaction/abortable.ts'
import { circuitBreakerIsOpen } from '../../compaction/summary/with-model/circuit-breaker.ts'
import { whyStale, type DiscardReason, type Prepared } from '../../compaction/prepare/prepared.ts'
import { emptyFacts } from '../../facts/facts-of.ts'
import { chooseTemplate, type Template } from '../../compaction/summary/template.ts'
import { beginCandidate, type Candidate } from './candidate.ts'
import type { Compaction } from '../../compaction/compaction.ts'
import type { Plan, PlanInput } from '../../compaction/plan/plan.ts'
import type { Observation, Seq } from '../../log/entry.ts'
import type { Compacting } from './compact-session.ts'

/** What was tried for one view of the session. */
interface Tried {
  changedAt: Seq
  /** How often a summarizer was asked. */
  begun: number
  /** Summary attempts that failed. */
  failed: number
  /** Tokens of the next request from which on it is planned again. */
  from: number
}

/** What a compaction is asked for. */
interface Wanted {
  template: Template | undefined
  focus: string | undefined
}

// One that was aborted with its run is begun once more, and no third time: a session of short
// runs must not pay for a summary with each of them.
const mostBegun = 2

// Where there was nothing to prepare, it is planned again after so much of usable.
const nextTry = 0.05

/**
 * Prepares the summary of the next compaction beside the running agent: one at a time, begun and
 * looked after where the session passes its gate. Whatever goes wrong here is told as an event,
 * and is no error of the session.
 */
export class Background {
  readonly #session: Compacting
  #candidate: Candidate | undefined
  #tried: Tried = { changedAt: 0, begun: 0, failed: 0, from: 0 }
  #closed = false

  constructor(session: Compacting) {
    this.#session = session
  }

  /** Where the next request fits: what is stale goes, and if it is time a summary is begun. */
  async #atGate({ measurement: { tokens }, budget: { usable, threshold } }: Plan): Promise<void> {
    const { summarizer } = this.#session.options
    if (!summarizer) return
    const input = this.#input()
    await this.#settle(input)
    const { policy } = input
    // What comes behind a summary that is ready is indexed as it comes, not when it is needed.
    if (this.#candidate?.outcome) await this.#session.facts()
    if (!policy.auto || this.#closed || this.#candidate) return
    const tried = this.#triedOn(input)
    if (tokens >= threshold || tokens < Math.max(policy.prepareAt(usable), tried.from)) return
    if (tried.begun >= mostBegun || tried.failed > 0) return
    if (circuitBreakerIsOpen(this.#session.circuitBreaker(), policy.breaker)) return
    tried.from = tokens + usable * nextTry
    this.#candidate = beginCandidate(this.#session, input, summarizer)
  }

  /**
   * What is prepared for a compaction of the context as it is, if anything. One that is on its way
   * is waited for: another would take longer.
   * @throws the signal's reason if it is aborted.
   */
  async take(asked: Wanted & { signal: AbortSignal | undefined }): Promise<Prepared | undefined> {
    await this.#settle(this.#input(), asked)
    if (!this.#candidate) return undefined
    await abortable(this.#candidate.done, asked.signal)
    await this.#settle(this.#input(), asked)
    return this.#candidate?.outcome?.prepared
  }

  /** A compaction has so many attempts fewer as failed when its summary was prepared. */
  withoutFailed(input: PlanInput): PlanInput {
    const { failed } = this.#triedOn(input)
    if (failed === 0) return input
    const { policy } = input
    return { ...input, policy: { ...policy, attempts: policy.attempts - failed } }
  }

  /** After the gate has been passed, with or without a compaction. */
  async after({ plan, drafts, prepared }: Compaction): Promise<void> {
    if (prepared === 'used') this.#candidate = undefined
    else if (prepared) await this.#discard(prepared)
    else if (drafts.length === 0) await this.#atGate(plan)
  }

  /** Aborts what is on its way, forgets what is ready, and says what it has taken. */
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

  /** Ends what is on its way; what is ready stays. */
  async stop(): Promise<void> {
    await this.#settle(this.#input())
    if (this.#candidate?.outcome === undefined) await this.#discard('ended')
  }

  /** Ends it for good. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#settle(this.#input())
    await this.#discard('ended')
  }

  /** Writes down what has failed, and discards what is of no use any more. */
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
    tried.failed += attempts.length
    const problems = attempts.flatMap((attempt) => attempt.problems)
    await this.#note({
      type: 'failure',
      summarizer: first.summarizer,
      problems,
      ...(spent && { spent }),
    })
  }

  async #note(observation: Observation): Promise<void> {
    const { stored, emit, now } = this.#session
    try {
      const entries = await stored.append([{ kind: 'observation', at: now(), observation }])
      emit({ type: 'appended', entries })
    } catch (error) {
      emit({ type: 'preparation-failed', attempts: [], error })
    }
  }

  #input(): PlanInput {
    return this.#session.planInput('auto', emptyFacts())
  }

  #triedOn({ context: { changedAt } }: PlanInput): Tried {
    if (this.#tried.changedAt !== changedAt) {
      this.#tried = { changedAt, begun: 0, failed: 0, from: 0 }
    }
    return this.#tried
  }
}
