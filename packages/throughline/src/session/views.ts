import { advanceContext, advanceSteps, emptyContext, type Context } from '../log/context/context.ts'
import { advanceHistory, emptyHistory, lastRewind } from '../log/history.ts'
import { entryAt, indexAfter, type Chronological } from '../log/order.ts'
import {
  advanceCircuitBreaker,
  closedCircuitBreaker,
  type CircuitBreaker,
} from '../compaction/summary/with-model/circuit-breaker.ts'
import { advanceCalibrations, emptyCalibrations, type Calibrations } from '../tokens/calibration.ts'
import { advanceFacts, emptyFacts, factsAfterRewind, isFoldedOn } from '../facts/facts-of.ts'
import { nextTurn, timeSlices } from './loop/pause.ts'
import { readAhead } from '../compaction/plan/planned-units.ts'
import { readStatements } from '../facts/statements/read-statements.ts'
import type { CountTokens } from '../tokens/message-tokens.ts'
import type { EntryOf } from '../log/entry.ts'
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

// As many entries or statements as take a few milliseconds, even before the code is compiled.
const piece = 5

// More new entries than this are folded in on demand.
const foldedAtOnce = 200

// The context takes less.
const page = 1_000

/**
 * The folds over a stored log, each computed as far as it was needed, and again from the start when
 * the log is reloaded.
 */
export class Views {
  readonly #stored: StoredLog
  readonly #options: IndexOptions
  #generation = 0
  readonly #provider: string | undefined
  #folds
  #rewritten = 0
  #facts = emptyFacts()

  constructor(stored: StoredLog, options: IndexOptions, provider: string | undefined) {
    this.#stored = stored
    this.#provider = provider
    this.#folds = emptyFolds(provider)
    this.#options = options
    stored.whenAdded(() => this.#foldForward())
  }

  /** What is held of the log. */
  get recent(): Chronological {
    return this.#stored.recent
  }

  context(): Context {
    return advanceContext(this.#current().context, this.#stored.recent)
  }

  /** Folds what is new into the context, giving way to others where that takes long. */
  async ready(turn = timeSlices()): Promise<void> {
    for (;;) {
      await turn()
      const { recent } = this.#stored
      const { context } = this.#current()
      const from = indexAfter(recent, context.seq)
      if (recent.length === from) return
      // What a rewind undoes need not be folded at all.
      const isRewound = lastRewind(recent, from, recent.length) >= 0
      const upTo = isRewound ? undefined : recent[from + page - 1]?.seq
      for (const _ of advanceSteps(context, recent, upTo)) await turn()
      for (const _ of readAhead(context)) await turn()
    }
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
    const turn = timeSlices(signal)
    for (;;) {
      await turn()
      const facts = this.#factsNow()
      if (this.#readOn(facts)) continue
      const { seq } = facts
      if (this.#stored.newest <= seq) {
        await this.#holdLatestRequest(facts)
        return facts
      }
      // What there is to do before that takes long as well where there is much.
      const isMuch = this.#stored.newest - seq > page
      if (isMuch) await nextTurn()
      const held = this.#stored.isHeldAfter(seq) ? this.#stored.recent : undefined
      if (isMuch) await turn()
      if (held ? !isFoldedOn(held, seq) : this.#stored.rewindAfter(seq) !== undefined) {
        await this.#foldAnew(facts, turn)
        continue
      }
      const log = held ?? (await this.#stored.pageAfter(seq))
      // Others may have come further in the meantime.
      if (facts !== this.#factsNow() || facts.seq !== seq) continue
      const last = log.at(-1)?.seq ?? seq
      if (isMuch) await turn()
      while (facts === this.#factsNow() && facts.seq < last) {
        advanceFacts(facts, log, { ...this.#options, upTo: facts.seq + piece })
        await turn()
      }
    }
  }

  /** What remains after a rewind: rewound entries leave no facts. */
  async #foldAnew(facts: Facts, turn: () => Promise<void> | void): Promise<void> {
    const rewind = this.#stored.rewindAfter(facts.seq)
    const log = await this.#stored.whole()
    if (rewind === undefined || facts !== this.#factsNow()) return
    const folding = factsAfterRewind(log, rewind, this.#options)
    let folded = folding.next()
    for (; folded.done !== true; folded = folding.next()) await turn()
    if (facts === this.#factsNow()) this.#facts = folded.value
  }

  /** Reads some of what was said, which a compaction would have to do otherwise; `false` after all. */
  #readOn({ statements }: Facts): boolean {
    const { count } = this.#options
    const read = readStatements(statements, count, 0).statements.length
    readStatements(statements, count, piece)
    return read < statements.length
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
    const { recent, newest } = this.#stored
    if (newest - facts.seq > foldedAtOnce || !this.#stored.isHeldAfter(facts.seq)) return
    if (!isFoldedOn(recent, facts.seq)) return
    advanceFacts(facts, recent, this.#options)
    try {
      this.#readOn(facts)
    } catch {
      // A caller's counter: what was said is stored, and the next compaction throws it again.
    }
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
      this.#folds = emptyFolds(this.#provider)
    }
    return this.#folds
  }
}

function emptyFolds(provider: string | undefined) {
  return {
    context: emptyContext(provider),
    calibrations: emptyCalibrations(),
    circuitBreaker: closedCircuitBreaker(),
    history: emptyHistory(),
  }
}
