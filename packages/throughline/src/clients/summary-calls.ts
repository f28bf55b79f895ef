import { headSummarizer, type HeadQuestion } from '../integrations/conversation/head-summarizer.ts'
import type { Attempt } from '../compaction/report.ts'
import type { CallOutcome } from './record.ts'
import type { DiscardReason } from '../compaction/prepare/prepared.ts'
import type { SessionEvent } from '../session/events.ts'
import type { Summarizer, SummaryCall } from '../compaction/summary/with-model/summarizer.ts'
import type { SummaryAnswer } from '../compaction/summary/with-model/summarizer.ts'

/** Asks the client's own model, with the user's login. */
export type AskClient = (question: HeadQuestion) => Promise<Omit<SummaryAnswer, 'calls'>>

/** A request for a summary, told when it is made and again when it is known what became of it. */
export interface ToldCall {
  /** Its name, by which both belong together. */
  call: string
  became?: CallOutcome
  /** Why it was of no use. */
  reason?: string
}

/** Why a question is given up whose answer was waited for as long as a compaction may wait. */
export const tooLate = new DOMException('it did not answer in time', 'TimeoutError')

/** A name for a request that no other process gives. */
export function callName(): string {
  return crypto.randomUUID().slice(0, 13)
}

interface Call {
  name: string
  /** It is made in the background, for a compaction that is not due yet. */
  isPrepared: boolean
  isAnswered: boolean
}

/** What becomes of each request for a summary: the user pays for it, whether it was of use or not. */
export class SummaryCalls {
  readonly #tell: (told: ToldCall) => void
  /** Those of which it is not known yet what becomes of them. */
  readonly #open = new Set<Call>()
  /** The requests behind what the report of an attempt calls them. */
  readonly #made = new WeakMap<readonly SummaryCall[], readonly Call[]>()
  #isPreparing = false
  /** What was wrong with what was prepared for the next compaction. */
  #ahead: readonly string[] = []

  constructor(tell: (told: ToldCall) => void) {
    this.#tell = tell
  }

  /** Summaries by a client’s model; what `limit` does not let through is not asked. */
  summarizer(model: string, ask: AskClient, limit: (ask: AskClient) => AskClient): Summarizer {
    return {
      ...headSummarizer(model, ask, {}),
      summarize: async (request, options) => {
        const made: Call[] = []
        const asking = limit((question) => this.#ask(question, ask, made))
        const told = headSummarizer(model, asking, {})
        try {
          const answer = await told.summarize(request, options)
          if (answer.calls) this.#made.set(answer.calls, made)
          return answer
        } catch (error) {
          // What was said of a part is of no use without the rest.
          const answered = made.filter(({ isAnswered }) => isAnswered)
          if (options.signal?.aborted !== true) this.#end(answered, 'rejected', wordsOf(error))
          throw error
        }
      },
    }
  }

  async #ask(
    question: Parameters<AskClient>[0],
    ask: AskClient,
    made: Call[],
  ): ReturnType<AskClient> {
    const { signal } = question
    const call = { name: callName(), isPrepared: this.#isPreparing, isAnswered: false }
    made.push(call)
    this.#open.add(call)
    this.#tell({ call: call.name })
    const stopped = (): void => {
      // What nobody needs any more is told when it is known why.
      if (signal?.reason === tooLate) this.#end([call], 'late', tooLate.message)
    }
    signal?.addEventListener('abort', stopped, { once: true })
    try {
      const answer = await ask(question)
      call.isAnswered = true
      return answer
    } catch (error) {
      if (signal?.aborted !== true) this.#end([call], 'failed', wordsOf(error))
      throw error
    } finally {
      signal?.removeEventListener('abort', stopped)
    }
  }

  /** Why a compaction asked nobody: what was wrong with what was prepared for it. */
  takeProblems(): readonly string[] {
    const problems = this.#ahead
    this.#ahead = []
    return problems
  }

  /** Something has happened in the session of these requests. */
  heard(event: SessionEvent): void {
    switch (event.type) {
      case 'preparation-started':
        this.#isPreparing = true
        break
      case 'compaction-started':
        this.#isPreparing = false
        break
      case 'preparation-finished':
      case 'preparation-failed':
        this.#ahead = event.attempts.flatMap(({ problems }) => problems)
        this.#reject(event.attempts)
        break
      case 'preparation-discarded':
        this.#end([...this.#open], 'unneeded', discarded[event.reason])
        break
      case 'compaction-skipped':
        this.#reject(event.report.attempts)
        this.#endMade('nothing would have been gained')
        break
      case 'compaction-finished': {
        const { attempts, summarizer } = event.report
        this.#reject(attempts)
        const good = attempts.filter(({ problems }) => problems.length === 0)
        const used = good.filter((attempt) => attempt.summarizer === summarizer)
        this.#end(this.#callsOf(used), 'used')
        this.#endMade('the session was compacted without it')
        break
      }
      case 'compaction-failed':
        this.#endMade('the compaction failed')
        break
      default:
    }
  }

  /** Nothing comes of those that were made for a compaction that is over. */
  #endMade(reason: string): void {
    const made = [...this.#open].filter(({ isPrepared }) => !isPrepared)
    this.#end(made, 'unneeded', reason)
  }

  #reject(attempts: readonly Attempt[]): void {
    for (const attempt of attempts) {
      if (attempt.problems.length === 0) continue
      this.#end(this.#callsOf([attempt]), 'rejected', attempt.problems.join('; '))
    }
  }

  #callsOf(attempts: readonly Attempt[]): readonly Call[] {
    return attempts.flatMap(({ calls }) => this.#made.get(calls) ?? [])
  }

  #end(calls: readonly Call[], became: CallOutcome, reason?: string): void {
    for (const call of calls) {
      if (!this.#open.delete(call)) continue
      this.#tell({ call: call.name, became, ...(reason !== undefined && { reason }) })
    }
  }
}

const discarded: Readonly<Record<DiscardReason, string>> = {
  'view-changed': 'what it summarized was changed',
  'model-changed': 'the session went on with another model',
  'window-changed': 'the window turned out to be smaller',
  'request-changed': 'another summary was asked for',
  'too-large': 'too much was said since',
  ended: 'the session ended before it was needed',
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
