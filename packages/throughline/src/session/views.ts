import { advanceContext, emptyContext, type Context } from '../log/context.ts'
import { advanceHistory, emptyHistory } from '../log/history.ts'
import { advanceLearned, emptyLearned, type Learned } from '../compaction/learned.ts'
import { advanceIndex, emptyIndex } from '../facts/build.ts'
import { pause } from './loop/pause.ts'
import type { EntryOf } from '../log/entry.ts'
import type { Index } from '../facts/facts.ts'
import type { ToolLens } from '../facts/lens.ts'
import type { StoredLog } from './stored-log.ts'

/** How the index of a session is made. */
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

  learned(): Learned {
    return advanceLearned(this.#current().learned, this.#stored.recent)
  }

  /** Of the whole log. */
  async history(): Promise<readonly EntryOf<'message'>[]> {
    const log = await this.#stored.whole()
    return advanceHistory(this.#current().history, log).entries
  }

  /** Of the whole log. */
  async index(): Promise<Index> {
    const log = await this.#stored.whole()
    return advanceIndex(this.#current().index, log, this.#options)
  }

  /** The same, piece by piece: beside an agent nobody may have to wait for all of it at once. */
  async indexInPieces(signal: AbortSignal): Promise<Index> {
    for (;;) {
      signal.throwIfAborted()
      const log = await this.#stored.whole()
      const { index } = this.#current()
      if (log.length - index.seq <= piece) return advanceIndex(index, log, this.#options)
      advanceIndex(index, log, { ...this.#options, upTo: index.seq + piece })
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
    learned: emptyLearned(),
    history: emptyHistory(),
    index: emptyIndex(),
  }
}
