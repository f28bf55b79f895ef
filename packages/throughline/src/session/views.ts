import { advanceContext, emptyContext, type Context } from '../log/context.ts'
import { advanceHistory, emptyHistory } from '../log/history.ts'
import {
  advanceCircuitBreaker,
  closedCircuitBreaker,
  type CircuitBreaker,
} from '../compaction/summary/with-model/circuit-breaker.ts'
import { advanceCalibrations, emptyCalibrations, type Calibrations } from '../tokens/calibration.ts'
import { advanceFacts, emptyFacts } from '../facts/facts-of.ts'
import { pause } from './loop/pause.ts'
import type { EntryOf } from '../log/entry.ts'
import type { Facts } from '../facts/facts.ts'
import type { ToolLens } from '../facts/lens.ts'
import type { StoredLog } from './stored-log.ts'

/** Settings for reading the facts of a session. */
interface IndexOptions {
  lenses: readonly ToolLens[]
  directories: readonly string[] | undefined
}

// As many entries as take about a millisecond to process.
const piece = 100

/**
 * The folds over a stored log, each computed as far as it was needed, and again from the start when
 * the log is reloaded.
 */
export class Views {
  readonly #stored: StoredLog
  readonly #options: IndexOptions
  #generation = 0
  #folds = emptyFolds()

  constructor(stored: StoredLog, options: IndexOptions) {
    this.#stored = stored
    this.#options = options
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

  /** Of the whole log. */
  async facts(): Promise<Facts> {
    const log = await this.#stored.whole()
    return advanceFacts(this.#current().facts, log, this.#options)
  }

  /**
   * The same in small pieces, so that an agent running alongside never has to wait for the whole.
   */
  async factsInPieces(signal: AbortSignal): Promise<Facts> {
    for (;;) {
      signal.throwIfAborted()
      const log = await this.#stored.whole()
      const { facts } = this.#current()
      if (log.length - facts.seq <= piece) return advanceFacts(facts, log, this.#options)
      advanceFacts(facts, log, { ...this.#options, upTo: facts.seq + piece })
      await pause()
    }
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
    facts: emptyFacts(),
  }
}
