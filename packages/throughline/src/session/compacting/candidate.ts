import { planPreparation, prepare, type Preparation } from '../../compaction/prepare/prepare.ts'
import { basisOf, type Basis } from '../../compaction/prepare/prepared.ts'
import { chooseTemplate } from '../../compaction/summary/template.ts'
import { snapshot } from '../../compaction/plan/snapshot.ts'
import { pause } from '../loop/pause.ts'
import { sessionTemplate } from './session-template.ts'
import type { PlanInput } from '../../compaction/plan/plan.ts'
import type { Summarizer, SummaryCall } from '../../compaction/summary/with-model/summarizer.ts'
import type { Spending } from '../../log/entry.ts'
import type { Internals } from '../internals.ts'
import { callsBefore, callsOf } from '../../compaction/summary/with-model/summarize-with-model.ts'
import { spendingOf } from '../../compaction/summary/with-model/spending.ts'

/** A summary in progress, and its outcome. */
export interface Candidate {
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
export function beginCandidate(
  session: Internals,
  now: PlanInput,
  summarizer: Summarizer,
): Candidate {
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
  /** Includes calls that nobody waits for anymore; `undefined` if nothing was asked. */
  spent: () => Spending | undefined
}

function metered(summarizer: Summarizer): Metered {
  const { name } = summarizer
  const calls: SummaryCall[] = []
  let open = 0
  return {
    summarizer: {
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
