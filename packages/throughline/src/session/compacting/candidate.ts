import { planPreparation, prepare, type Preparation } from '../../compaction/prepare/prepare.ts'
import { basisOf, type Basis } from '../../compaction/prepare/prepared.ts'
import { chooseTemplate } from '../../compaction/summary/template.ts'
import { snapshot } from '../../compaction/plan/snapshot.ts'
import { pause } from '../loop/pause.ts'
import { sessionTemplate } from './session-template.ts'
import type { PlanInput } from '../../compaction/plan/plan.ts'
import type { Summarizer, SummaryCall } from '../../compaction/summary/with-model/summarizer.ts'
import type { Spending } from '../../log/entry.ts'
import type { Compacting } from './compact-session.ts'
import { callsBefore, callsOf } from '../../compaction/summary/with-model/summarize-with-model.ts'
import { spendingOf } from '../../compaction/summary/with-model/spending.ts'

/** A summary on its way, and what it came to. */
export interface Candidate {
  readonly basis: Basis
  /** Whether a summarizer was asked. */
  readonly asked: boolean
  /** What it came to; `undefined` while it is on its way, or where there was nothing to prepare. */
  readonly outcome: Preparation | undefined
  readonly ended: boolean
  /** Settles when nothing of it goes on any more; never rejects. */
  readonly done: Promise<void>
  /** What it has taken so far. */
  spent: () => Spending | undefined
  abort: () => void
}

/** Begins a summary of the context as it is now. */
export function beginCandidate(
  session: Compacting,
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
      // The request that passed the gate is sent first, and nothing of this holds up the rest.
      await pause()
      const facts = await session.factsInPieces(signal)
      const input = { ...at, facts: () => facts }
      await pause()
      const plan = planPreparation(input)
      if (!plan) return
      await pause()
      signal.throwIfAborted()
      candidate.asked = true
      session.emit({ type: 'preparation-started', plan })
      const circuitBreaker = session.circuitBreaker()
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

  // Only a listener can still throw here, and it has been told already.
  return Object.assign(candidate, { done: work().catch(() => {}) })
}

/** A summarizer, and what it has taken so far. */
interface Metered {
  summarizer: Summarizer
  /** Also what nobody waits for any more; `undefined` where nothing was asked. */
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
