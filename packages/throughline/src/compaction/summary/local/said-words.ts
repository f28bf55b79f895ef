const runs = /[A-Za-z0-9_.@~/-]{4,}/g

/** Which whole words already appear in texts and need not be written again. */
export class SaidWords {
  readonly #root: string
  readonly #words = new Set<string>()

  /** Paths are compared relative to the root. */
  constructor(root = '') {
    this.#root = root === '' ? '' : `${root}/`
  }

  add(text: string): void {
    for (const [run] of text.matchAll(runs)) this.#words.add(this.#bare(run))
  }

  has(word: string): boolean {
    return this.#words.has(this.#bare(word))
  }

  #bare(word: string): string {
    const below = this.#root !== '' && word.startsWith(this.#root)
    return withoutOuter(below ? word.slice(this.#root.length) : word)
  }
}

/**
 * The word without surrounding punctuation. Done by hand, because a regular expression would take
 * quadratic time.
 */
function withoutOuter(word: string): string {
  let start = 0
  let end = word.length
  while (start < end && !isInner(word.charCodeAt(start))) start++
  while (end > start && !isInner(word.charCodeAt(end - 1))) end--
  return word.slice(start, end)
}

function isInner(code: number): boolean {
  const letter = code | 32
  return (letter >= 97 && letter <= 122) || (code >= 48 && code <= 57) || code === 95
}
