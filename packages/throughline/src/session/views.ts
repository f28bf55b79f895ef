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

/** How the facts of a session are made. */
interface IndexOptions {
  lenses: readonly ToolLens[]
  directories: readonly string[] | undefined
}

// Entries that take about a millisecond together.
const piece = 100

/** The folds over a stored log, each as far as it was asked for; anew where the log is. */
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

  /** The same, piece by piece: beside an agent nobody may have to wait for all of it at once. */
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
