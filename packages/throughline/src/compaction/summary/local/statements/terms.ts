import { ownText } from '../../../../facts/own-text.ts'

/** How much of a unit is read for its terms. */
const WINDOW = 2_000

/**
 * Words that say nothing by themselves, in the languages whose words are spaced. It need not be
 * complete: a word that stands everywhere is worth the same to all.
 */
const GRAMMAR = new Set(
  `the and but for not yes can you are was were been its this that these those they she him her his
  could should would will may might must does did done have has had than too very just also now let
  our your their there here what which who when where why how all any some each more most other into
  over under about after before because since while down out off only same such own via per using use
  used need needs want make made get see look first next then with from one two
  các của cho với này khi thì không được một những là và có
  что как это для или если при над под уже ещё его она они был была
  que los las una uno por para con del como pero más este esta eso
  der die das und nicht ein eine mit für von ist sind auf auch als wie bei`
    .split(/\s+/)
    .filter(Boolean),
)

/**
 * What a text is about: its words in lower case without plural and verb endings, its names and its
 * numbers. Scripts without spaces are read in pairs of characters.
 */
export function termsOf(text: string): string[] {
  const terms = new Set<string>()
  const lower = text.slice(0, WINDOW).toLowerCase()
  if (isPlain(lower)) eachPlainWord(lower, (word) => addTerm(terms, termOfPlain(word)))
  else eachTerm(lower, (term) => addTerm(terms, term))
  return [...terms]
}

function addTerm(terms: Set<string>, term: string | undefined): void {
  if (term !== undefined) terms.add(term)
}

/**
 * The terms of many texts as numbers. Words come again and again: what each of them stands for is
 * found out once.
 */
export class Vocabulary {
  readonly #numbers = new Map<string, number>()
  /** Of each word of plain text the number of its term; of one that says nothing, `silent`. */
  readonly #words = new Map<string, number>()
  /** Of each term, whether it is a name or a number rather than a word. */
  readonly #specific: boolean[] = []
  /** The newest text in which each term stands. */
  readonly #text: number[] = []
  #texts = 0

  get size(): number {
    return this.#specific.length
  }

  /** The number of a term, if any text has it. */
  get(term: string): number | undefined {
    return this.#numbers.get(term)
  }

  /** Gives on the terms of a text, each once; says whether any of them is a name or a number. */
  read(text: string, take: (term: number) => void): boolean {
    this.#texts += 1
    let specific = false
    const note = (term: number): void => {
      if (this.#text[term] === this.#texts) return
      this.#text[term] = this.#texts
      specific ||= this.#specific[term] === true
      take(term)
    }
    const lower = text.slice(0, WINDOW).toLowerCase()
    if (!isPlain(lower)) eachTerm(lower, (term) => note(this.#numberOf(term)))
    else {
      eachPlainWord(lower, (word) => {
        const term = this.#words.get(word) ?? this.#meet(word)
        if (term !== silent) note(term)
      })
    }
    return specific
  }

  #meet(word: string): number {
    const term = termOfPlain(word)
    const number = term === undefined ? silent : this.#numberOf(term)
    this.#words.set(ownText(word), number)
    return number
  }

  #numberOf(term: string): number {
    const known = this.#numbers.get(term)
    if (known !== undefined) return known
    const number = this.#specific.length
    this.#numbers.set(ownText(term), number)
    this.#specific.push(isSpecific(term))
    this.#text.push(0)
    return number
  }
}

const silent = -1

/** The terms of a text of any script, each as often as it stands there. */
function eachTerm(lower: string, take: (term: string) => void): void {
  for (const [found] of lower.matchAll(WORD)) {
    const word = found.length > 80 ? found.slice(0, 80) : found
    if (UNSPACED.test(word)) for (const pair of pairsIn(word)) take(pair)
    else if (word.length < 3 && !/\d/.test(word)) continue
    else if (!GRAMMAR.has(word)) take(/^[a-z]+$/.test(word) ? stem(word) : word)
  }
}

/** What a word of plain text stands for; nothing, where it says nothing. */
function termOfPlain(word: string): string | undefined {
  if (GRAMMAR.has(word)) return undefined
  return /^[a-z]+$/.test(word) ? stem(word) : word
}

// What the characters of plain text are, as `WORD` has it.
const INNER = 1
const LETTER = 2
const DIGIT = 3
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 97 && code <= 122) return LETTER
  if (code >= 48 && code <= 57) return DIGIT
  // An underscore begins and ends words as letters do, but makes none of them plain.
  if (code === 95) return LETTER
  return './:@~-'.includes(String.fromCharCode(code)) ? INNER : 0
})

/** Whether a text is ASCII alone. */
function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= 128) return false
  return true
}

/** The words of ASCII text in lower case, as `eachTerm` reads them, several times as fast. */
function eachPlainWord(text: string, take: (word: string) => void): void {
  for (let at = 0; at < text.length;) {
    if ((kinds[text.charCodeAt(at)] as number) < LETTER) {
      at++
      continue
    }
    let last = at
    let digits = false
    for (let end = at; end < text.length; end++) {
      const kind = kinds[text.charCodeAt(end)] as number
      if (kind === 0) break
      if (kind === INNER) continue
      last = end
      if (kind === DIGIT) digits = true
    }
    const length = last + 1 - at
    if (length > 80) take(text.slice(at, at + 80))
    else if (length >= 3 || digits) take(text.slice(at, last + 1))
    at = last + 1
  }
}

const WORD = /[\p{L}\p{N}_](?:[\p{L}\p{N}_./:@~-]*[\p{L}\p{N}_])?/gu
const UNSPACED = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/

function stem(word: string): string {
  const ending = endingOf(word)
  return ending > 0 && word.length - ending >= 3 ? word.slice(0, -ending) : word
}

/** How long the ending of a plural or of a verb is. */
function endingOf(word: string): number {
  if (word.endsWith('ing')) return 3
  if (word.endsWith('ed') || word.endsWith('es')) return 2
  return word.endsWith('s') ? 1 : 0
}

function pairsIn(word: string): string[] {
  const characters = [...word]
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`)
}

/** Whether a term is a name or a number rather than a word. */
function isSpecific(term: string): boolean {
  return /[\d_./:@]/.test(term)
}
