/** A stretch of a text, from its first character to behind its last. */
export type Stretch = readonly [from: number, to: number]

/** How a secret may be written. */
export type Form =
  | 'plain'
  | 'escaped'
  | 'wrapped'
  | 'quoted'
  | 'streamed'
  | 'base64'
  | 'hex'
  | 'numbers'
  | 'dump'
  | 'base32'
  | 'uuencode'
  | 'split'

/** A text as it reads when something in it is decoded. */
export interface Reading {
  text: string
  form: Form
  /** Where a stretch of it stands in the text that was there first. */
  source: (from: number, to: number) => Stretch
}

/** A text as it stands there. */
export function asItIs(text: string): Reading {
  return { text, form: 'plain', source: (from, to) => [from, to] }
}

/**
 * A reading in the making: stretches of another one, copied or decoded, in order. What is neither
 * copied nor put is left out.
 */
export class Decoding {
  readonly #of: Reading
  readonly #texts: string[] = []
  // For each stretch: where it begins here and there, and where it ends there; a copy has no end of
  // its own, because each of its characters has one.
  readonly #here: number[] = []
  readonly #there: number[] = []
  readonly #end: number[] = []
  #length = 0

  constructor(of: Reading) {
    this.#of = of
  }

  copy(from: number, to: number): void {
    if (to > from) this.#add(this.#of.text.slice(from, to), from, -1)
  }

  /** Adds a text that stands for all of a stretch. */
  put(text: string, from: number, to: number): void {
    if (text !== '') this.#add(text, from, to)
  }

  #add(text: string, from: number, end: number): void {
    this.#texts.push(text)
    this.#here.push(this.#length)
    this.#there.push(from)
    this.#end.push(end)
    this.#length += text.length
  }

  reading(form: Form): Reading {
    const of = this.#of
    return {
      text: this.#texts.join(''),
      form,
      source: (from, to) => of.source(this.#start(from), this.#stop(to - 1)),
    }
  }

  #start(at: number): number {
    const index = this.#index(at)
    const there = this.#there[index] as number
    return this.#end[index] === -1 ? there + at - (this.#here[index] as number) : there
  }

  #stop(last: number): number {
    const index = this.#index(last)
    const end = this.#end[index] as number
    return end === -1
      ? (this.#there[index] as number) + last - (this.#here[index] as number) + 1
      : end
  }

  /** The stretch that holds the character at `at`. */
  #index(at: number): number {
    let low = 0
    let high = this.#here.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if ((this.#here[middle] as number) <= at) low = middle
      else high = middle - 1
    }
    return low
  }
}
