import { mayBeDump } from './columns.ts'
import { findSecret, withoutStretches } from './find-secret.ts'
import { isUnmistakable } from './secret.ts'
import type { Secret } from './secret.ts'
import type { Stretch } from './reading.ts'
import type { Entry, Seq } from '../entry.ts'
import type { Message, Part, ToolOutput } from '../message.ts'

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
    const texts = pieces.map((piece) => piece.text)
    const border = texts.slice(0, -1).join('').length
    if (!this.#mayHold(texts.join(''), border)) return
    this.#lookIn(pieces, '')
    if (texts.some(mayBeDump)) this.#lookIn(pieces, '\n')
  }

  /**
   * What shows bytes is found by whole lines: a text that ends without a line break would be taken for
   * the beginning of the next one's first line.
   */
  #lookIn(pieces: readonly Piece[], between: '' | '\n'): void {
    const text = pieces.map((piece) => piece.text).join(between)
    const border = text.length - (pieces.at(-1) as Piece).text.length
    for (const { at, form } of findSecret(text, this.#secret)) {
      const [from, to] = at
      const isOfLines = form === 'dump'
      if (isOfLines !== (between === '\n')) continue
      if (from < border && to > border) this.#cut(pieces, { from, to, between })
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

  #cut(
    pieces: readonly Piece[],
    { from, to, between }: { from: number; to: number; between: string },
  ): void {
    let begin = 0
    for (const { seq, index, length, from: offset, text } of pieces) {
      const [start, end] = [Math.max(from - begin, 0), Math.min(to - begin, text.length)]
      begin += text.length + between.length
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
    const stretches = here.map(({ at }) => at)
    return withoutStretches(text, stretches, marker)
  })
}

/** A text that somebody said or a tool printed, and the part of its message that holds it. */
interface SaidText {
  text: string
  /** What goes on from one message to the next: an answer, an output. */
  stream: 'user' | 'assistant' | 'reasoning' | 'output' | 'system'
  part: number
}

/** The texts of a message in order; none for other entries. */
function saidTexts(entry: Entry): SaidText[] {
  const said: SaidText[] = []
  if (entry.kind === 'message') mapSaid(entry.message, (each) => (said.push(each), each.text))
  return said
}

/** The entry with each of these texts changed. */
function withSaid(entry: Entry, change: (said: SaidText, index: number) => string): Entry {
  if (entry.kind !== 'message') return entry
  let index = 0
  return { ...entry, message: mapSaid(entry.message, (said) => change(said, index++)) }
}

type ChangeSaid = (said: SaidText) => string

function mapSaid(message: Message, change: ChangeSaid): Message {
  const { role, content } = message
  const stream = role === 'tool' ? 'output' : role
  if (typeof content === 'string') {
    return { ...message, content: change({ text: content, stream, part: 0 }) } as Message
  }
  const parts = (content as readonly Part[]).map((each, part) =>
    mapPart(each, part, stream, change),
  )
  return { ...message, content: parts } as Message
}

function mapPart(part: Part, index: number, stream: SaidText['stream'], change: ChangeSaid): Part {
  switch (part.type) {
    case 'text':
      return { ...part, text: change({ text: part.text, stream, part: index }) }
    case 'reasoning':
      return { ...part, text: change({ text: part.text, stream: 'reasoning', part: index }) }
    case 'tool-result':
      return { ...part, output: mapOutput(part.output, index, change) }
    default:
      return part
  }
}

function mapOutput(output: ToolOutput, part: number, change: ChangeSaid): ToolOutput {
  const changed = (text: string): string => change({ text, stream: 'output', part })
  if (output.type === 'content') {
    const value = output.value.map((each) =>
      typeof each.text === 'string' ? { ...each, text: changed(each.text) } : each,
    )
    return { ...output, value }
  }
  if (output.type === 'text' || output.type === 'error-text') {
    return { ...output, value: changed(output.value) }
  }
  return output
}
