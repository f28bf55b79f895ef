import { findSecret, withoutStretches } from './find-secret.ts'
import { saidTexts, withSaid, type SaidText } from './said-texts.ts'
import { isUnmistakable, type Secret } from './secret.ts'
import type { Stretch } from './reading.ts'
import type { Entry, Seq } from '../entry.ts'

/** A piece of a secret at the end or the beginning of a text, the others being in its neighbors. */
interface Cut {
  /** Which of the entry's texts, and how long it is. */
  index: number
  length: number
  at: Stretch
}

/** The pieces of a secret that is spread over several texts, by entry. */
export type Cuts = ReadonlyMap<Seq, readonly Cut[]>

/** The end of a text that the next one may go on with. */
interface Piece {
  seq: Seq
  index: number
  length: number
  /** Where this end begins in its text. */
  from: number
  text: string
}

/**
 * Finds secrets that begin in one text and end in another: in the next part or message, or in the
 * next of its kind. Entries are added in the order of the log.
 */
export class Splits {
  readonly #secret: Secret
  /** What an escaped secret takes at most, here and in most places. */
  readonly #reach: number
  readonly #ends = new Map<SaidText['stream'] | 'any', Piece[]>()
  readonly #cuts = new Map<Seq, Cut[]>()

  constructor(secret: Secret) {
    this.#secret = { ...secret, loose: { ...secret.loose, quoted: [] } }
    const longest = secret.texts.find(isUnmistakable)?.length ?? 0
    // Nobody splits what is as long as a file into two messages.
    this.#reach = longest > 10_000 ? 0 : longest * 2 + 8
  }

  get cuts(): Cuts {
    return this.#cuts
  }

  add(entry: Entry): void {
    if (this.#reach <= 8) return
    for (const [index, said] of saidTexts(entry).entries()) {
      if (said.text === '') continue
      for (const stream of ['any', said.stream] as const) this.#goOn(stream, entry.seq, index, said)
    }
  }

  #goOn(stream: SaidText['stream'] | 'any', seq: Seq, index: number, { text }: SaidText): void {
    const ends = this.#ends.get(stream) ?? []
    const head = text.slice(0, this.#reach)
    if (ends.length > 0)
      this.#look([...ends, { seq, index, length: text.length, from: 0, text: head }])
    const from = Math.max(0, text.length - this.#reach)
    const all = [...ends, { seq, index, length: text.length, from, text: text.slice(from) }]
    this.#ends.set(stream, from > 0 ? all.slice(-1) : this.#newest(all))
  }

  /** As many of the newest ends as a secret may reach over. */
  #newest(pieces: readonly Piece[]): Piece[] {
    let first = pieces.length
    for (let held = 0; first > 0 && held < this.#reach; first--) {
      held += (pieces[first - 1] as Piece).text.length
    }
    return pieces.slice(first)
  }

  #look(pieces: readonly Piece[]): void {
    const text = pieces.map((piece) => piece.text).join('')
    const border = text.length - (pieces.at(-1) as Piece).text.length
    if (!this.#mayHold(text, border)) return
    for (const { at } of findSecret(text, this.#secret)) {
      const [from, to] = at
      if (from < border && to > border) this.#cut(pieces, from, to)
    }
  }

  /** One half of a secret at least stands on one side. */
  #mayHold(text: string, border: number): boolean {
    const [before, after] = [text.slice(0, border), text.slice(border)]
    return this.#secret.loose.split.some((needle) => {
      const half = Math.floor(needle.length / 2)
      return (
        before.includes(needle.slice(0, Math.min(4, half))) ||
        after.includes(needle.slice(-Math.min(4, half)))
      )
    })
  }

  #cut(pieces: readonly Piece[], from: number, to: number): void {
    let begin = 0
    for (const { seq, index, length, from: offset, text } of pieces) {
      const [start, end] = [Math.max(from - begin, 0), Math.min(to - begin, text.length)]
      begin += text.length
      if (start >= end) continue
      const cuts = this.#cuts.get(seq) ?? []
      cuts.push({ index, length, at: [start + offset, end + offset] })
      this.#cuts.set(seq, cuts)
    }
  }
}

/** The entry without pieces of a secret. */
export function withoutCuts(entry: Entry, cuts: Cuts, marker: string): Entry {
  const own = cuts.get(entry.seq)
  if (!own) return entry
  return withSaid(entry, ({ text }, index) => {
    const here = own.filter((cut) => cut.index === index && cut.length === text.length)
    return here.length === 0
      ? text
      : withoutStretches(
          text,
          here.map(({ at }) => at),
          marker,
        )
  })
}
