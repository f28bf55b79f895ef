import { advanceContext, emptyContext, type Context } from '../log/context.ts'
import { advanceHistory, emptyHistory } from '../log/history.ts'
import { entryAt } from '../log/order.ts'
import {
  advanceCircuitBreaker,
  closedCircuitBreaker,
  type CircuitBreaker,
} from '../compaction/summary/with-model/circuit-breaker.ts'
import { advanceCalibrations, emptyCalibrations, type Calibrations } from '../tokens/calibration.ts'
import { advanceFacts, emptyFacts } from '../facts/facts-of.ts'
import { pause } from './loop/pause.ts'
import { readStatements } from '../compaction/summary/local/statements/read-statements.ts'
import type { CountTokens } from '../tokens/count.ts'
import type { Chronological } from '../log/order.ts'
import type { EntryOf, Seq } from '../log/entry.ts'
import type { Facts } from '../facts/facts.ts'
import type { ToolLens } from '../facts/lens.ts'
import type { StoredLog } from './stored-log.ts'

/** Settings for reading the facts of a session. */
interface IndexOptions {
  lenses: readonly ToolLens[]
  directories: readonly string[] | undefined
  /** What summaries are measured by. */
  count: CountTokens
}

// As many entries as take a few milliseconds to process.
const piece = 200

/**
 * The folds over a stored log, each computed as far as it was needed, and again from the start when
 * the log is reloaded.
 */
export class Views {
  readonly #stored: StoredLog
  readonly #options: IndexOptions
  #generation = 0
  #folds = emptyFolds()
  #rewritten = 0
  #facts = emptyFacts()

  constructor(stored: StoredLog, options: IndexOptions) {
    this.#stored = stored
    this.#options = options
    stored.whenAdded(() => this.#foldForward())
  }

  context(): Context {
    return advanceContext(this.#current().context, this.#stored.recent)
  }

  calibrations(): Calibrations {
    return advanceCalibrations(this.#current().calibrations, this.#stored.recent)
  }

  circuitBreaker(): CircuitBreaker {
    return advanceCircuitBreaker(this.#current().circuitBreaker, this.#stored.recent)
  }

  /** Of the whole log. */
  async history(): Promise<readonly EntryOf<'message'>[]> {
    const log = await this.#stored.whole()
    return advanceHistory(this.#current().history, log).entries
  }

  /**
   * Of the whole log. They are folded forward as entries come. Where there are many to catch up
   * with, that is done in pieces, so that an agent running alongside never waits for the whole.
   */
  async facts(signal?: AbortSignal): Promise<Facts> {
    for (;;) {
      signal?.throwIfAborted()
      const facts = this.#factsNow()
      const left = this.#stored.newest - facts.seq
      if (left <= 0) {
        await this.#holdLatestRequest(facts)
        return facts
      }
      const rewind = this.#stored.rewindAfter(facts.seq)
      if (rewind !== undefined) {
        const log = await this.#stored.whole()
        if (facts === this.#factsNow()) this.#advance(facts, log, rewind)
        continue
      }
      const { seq } = facts
      const log = this.#stored.heldAfter(seq) ?? (await this.#stored.pageAfter(seq))
      // Others may have come further in the meantime.
      if (facts !== this.#factsNow() || facts.seq !== seq) continue
      const last = log.at(-1)?.seq ?? seq
      for (let upTo = seq + piece; facts === this.#factsNow(); upTo += piece) {
        signal?.throwIfAborted()
        this.#advance(facts, log, upTo)
        if (upTo >= last) break
        await pause()
      }
    }
  }

  /**
   * A compaction may need the latest request, which another harness's compaction may have taken out
   * of the context.
   */
  async #holdLatestRequest({ requests }: Facts): Promise<void> {
    const seq = requests.at(-1)?.seq
    if (seq !== undefined && !entryAt(this.#stored.recent, seq)) await this.#stored.whole()
  }

  /** New entries are folded in as they come, if all before them have been. */
  #foldForward(): void {
    const facts = this.#factsNow()
    const left = this.#stored.newest - facts.seq
    if (left > piece || this.#stored.rewindAfter(facts.seq) !== undefined) return
    const log = this.#stored.heldAfter(facts.seq)
    if (!log) return
    advanceFacts(facts, log, this.#options)
    try {
      readStatements(facts.statements, this.#options.count)
    } catch {
      // A caller's counter: what was said is stored, and the next compaction throws it again.
    }
  }

  /** Reads what was said as well, which a compaction would have to do otherwise. */
  #advance(facts: Facts, log: Chronological, upTo?: Seq): void {
    advanceFacts(facts, log, { ...this.#options, upTo })
    readStatements(facts.statements, this.#options.count)
  }

  #factsNow(): Facts {
    if (this.#rewritten !== this.#stored.rewritten) {
      this.#rewritten = this.#stored.rewritten
      this.#facts = emptyFacts()
    }
    return this.#facts
  }

  #current(): ReturnType<typeof emptyFolds> {
    if (this.#generation !== this.#stored.generation) {
      this.#generation = this.#stored.generation
      this.#folds = emptyFolds()
    }
    return this.#folds
  }
}

function emptyFolds() {
  return {
    context: emptyContext(),
    calibrations: emptyCalibrations(),
    circuitBreaker: closedCircuitBreaker(),
    history: emptyHistory(),
  }
}
