/** A shorter run of characters is no word worth looking for. */
const SHORTEST_RUN = 4

/** The characters of a run, `[A-Za-z0-9_.@~/-]`. */
const inRun = Uint8Array.from({ length: 128 }, (_, code) =>
  isInner(code) || '.@~/-'.includes(String.fromCharCode(code)) ? 1 : 0,
)

/** Which whole words already appear in texts and need not be written again. */
export class SaidWords {
  readonly #root: string
  readonly #words = new Set<string>()
  readonly #others: SaidWords | undefined

  /**
   * Paths are compared relative to the root.
   * @param others what was said elsewhere, with the same root.
   */
  constructor(root = '', others?: SaidWords) {
    this.#root = root === '' ? '' : `${root}/`
    this.#others = others
  }

  add(text: string): void {
    for (let at = 0; at < text.length; at++) {
      const start = at
      while (at < text.length && inRun[text.charCodeAt(at)] === 1) at++
      if (at - start >= SHORTEST_RUN) this.#words.add(this.#bare(text.slice(start, at)))
    }
  }

  has(word: string): boolean {
    return this.#hasBare(this.#bare(word))
  }

  #hasBare(word: string): boolean {
    if (this.#words.has(word)) return true
    return this.#others !== undefined && this.#others.#hasBare(word)
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

/** Replaces words that were left out. */
const gap = '…'

/**
 * The beginning and the end of a text within `characters`, cut between words: half a path would be
 * a path that never existed.
 */
export function clipMiddle(text: string, characters: number): string {
  if (text.length <= characters) return text
  const room = Math.max(characters - gap.length - 2, 0)
  const head = headOf(text, room)
  const left = Math.min(Math.floor(room / 3), room - head.length)
  const tail = left < shortestTail ? '' : clippedStart(text.slice(text.length - left - 1))
  return [head, gap, tail].filter((piece) => piece !== '').join(' ')
}

/** Where a long word takes all the room, an end that is shorter than this says nothing. */
const shortestTail = 4

/** Two thirds of the room, or more if a long word, like a path, crosses that limit. */
function headOf(text: string, room: number): string {
  const head = clippedEnd(text.slice(0, Math.ceil((room * 2) / 3) + 1))
  if (head.length >= room / 3) return head
  let end = head.length
  while (end < text.length && !isWordCharacter(text.charCodeAt(end))) end++
  while (end <= room && end < text.length && isWordCharacter(text.charCodeAt(end))) end++
  return end <= room ? text.slice(0, end) : head
}

/** The beginning of a text within `characters`, cut between words. */
export function clipEnd(text: string, characters: number): string {
  if (text.length <= characters) return text
  const room = Math.max(characters - gap.length - 1, 0)
  const head = clippedEnd(text.slice(0, room + 1))
  return head === '' ? gap : `${head} ${gap}`
}

/** Without the last character and the ASCII word that it may have cut in two. */
function clippedEnd(text: string): string {
  let end = text.length
  while (end > 0 && isWordCharacter(text.charCodeAt(end - 1))) end--
  if (end === text.length) end--
  if (isHighSurrogate(text.charCodeAt(end - 1))) end--
  return text.slice(0, Math.max(end, 0)).trimEnd()
}

function clippedStart(text: string): string {
  let start = 0
  while (start < text.length && isWordCharacter(text.charCodeAt(start))) start++
  if (start === 0) start++
  if (isLowSurrogate(text.charCodeAt(start))) start++
  return text.slice(start).trimStart()
}

/** Any character that can be inside a path or an identifier: printable ASCII except the space. */
function isWordCharacter(code: number): boolean {
  return code > 32 && code < 127
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

/**
 * The text as quoted lines, so that nothing in it can be mistaken for a heading, a fence or a list.
 */
export function quote(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .map((line) => `> ${line}`)
}

/**
 * The text on one line, without the spaces that were only layout. A word cut in two before an
 * ellipsis is removed: half a name would be a name that never existed.
 */
export function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (!line.endsWith('…')) return line
  let end = line.length - 1
  while (end > 0 && isWordCharacter(line.charCodeAt(end - 1))) end--
  return `${line.slice(0, end)}…`
}
