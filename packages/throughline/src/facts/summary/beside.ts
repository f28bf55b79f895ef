/** As many characters are compared at a time before a text is searched for. */
const GRAM = 8
const BITS = 17
const SLOTS = 1 << BITS
const FACTOR = 0x01000193

// What the oldest character of a gram weighs.
let weight = 1
for (let power = 0; power < GRAM; power++) weight = Math.imul(weight, FACTOR)
const OLDEST = weight

/**
 * What stands next to a summary, which need not say it again. A text that cannot stand there is
 * told by a few of its characters, since almost everything that is asked for stands elsewhere.
 */
export class Beside {
  readonly text: string
  readonly #grams = new Uint8Array(SLOTS)

  constructor(texts: readonly string[]) {
    this.text = texts.join('\n')
    let hash = 0
    for (let at = 0; at < this.text.length; at++) {
      hash = next(hash, this.text, at)
      if (at >= GRAM - 1) this.#grams[slot(hash)] = 1
    }
  }

  /** Whether a text is there, word for word. */
  includes(text: string): boolean {
    let hash = 0
    for (let at = 0; at < text.length; at++) {
      hash = next(hash, text, at)
      if (at >= GRAM - 1 && this.#grams[slot(hash)] !== 1) return false
    }
    return this.text.includes(text)
  }
}

/** The hash of the gram that ends at a position, from that of the one before. */
function next(hash: number, text: string, at: number): number {
  const added = (Math.imul(hash, FACTOR) + text.charCodeAt(at)) | 0
  return at < GRAM ? added : (added - Math.imul(OLDEST, text.charCodeAt(at - GRAM))) | 0
}

function slot(hash: number): number {
  return (hash ^ (hash >>> BITS)) & (SLOTS - 1)
}
