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
  eachWord(text.slice(0, WINDOW).toLowerCase(), (word, plain) => {
    for (const term of plain ? termOfPlain(word) : termsOfOther(word)) terms.add(term)
  })
  return [...terms]
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

  /** Whether a term is a name or a number rather than a word. */
  isSpecific(term: number): boolean {
    return this.#specific[term] === true
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
    eachWord(text.slice(0, WINDOW).toLowerCase(), (word, plain) => {
      if (!plain) {
        for (const term of termsOfOther(word)) note(this.#numberOf(term))
        return
      }
      const term = this.#words.get(word) ?? this.#meet(word)
      if (term !== silent) note(term)
    })
    return specific
  }

  #meet(word: string): number {
    const [term] = termOfPlain(word)
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

/** What a word in which every character is ASCII stands for; nothing, where it says nothing. */
function termOfPlain(word: string): [] | [string] {
  if (GRAMMAR.has(word)) return []
  return [/^[a-z]+$/.test(word) ? stem(word) : word]
}

/** The same of any other word; those of scripts without spaces are several. */
function termsOfOther(word: string): string[] {
  if (UNSPACED.test(word)) return pairsIn(word)
  return GRAMMAR.has(word) ? [] : [word]
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

/** A longer word is cut. */
const LONGEST = 80

/**
 * The words of a text in lower case: what begins and ends with a letter, a digit or an underscore,
 * with some marks between. One of fewer than three characters needs a digit, or a script without
 * spaces.
 * @param take `plain` where every character is ASCII.
 */
function eachWord(text: string, take: (word: string, plain: boolean) => void): void {
  for (let at = 0; at < text.length;) {
    const first = kindAt(text, at)
    if (first < LETTER) {
      at += text.charCodeAt(at) >= 0xd800 && isPair(text, at) ? 2 : 1
      continue
    }
    let after = at
    let digits = false
    let plain = true
    for (let end = at; end < text.length;) {
      const code = text.charCodeAt(end)
      const kind = code < 128 ? (kinds[code] as number) : kindAt(text, end)
      if (kind === 0) break
      end += kind === PAIR ? 2 : 1
      if (kind === INNER) continue
      after = end
      if (kind === DIGIT) digits = true
      else if (code >= 128) plain = false
    }
    const length = after - at
    const word = text.slice(at, length > LONGEST ? at + LONGEST : after)
    if (length >= 3 || digits || (!plain && UNSPACED.test(word))) take(word, plain)
    at = after
  }
}

/** A letter or a digit of two UTF-16 units. */
const PAIR = 5

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code < 128) return kinds[code] as number
  if (code >= 0xd800 && code <= 0xdfff) {
    return isPair(text, at) && WORDS.test(text.slice(at, at + 2)) ? PAIR : 0
  }
  otherKinds ??= new Uint8Array(0x10000)
  const known = otherKinds[code] as number
  if (known !== 0) return known - 1
  const kind = WORDS.test(String.fromCharCode(code)) ? LETTER : 0
  otherKinds[code] = kind + 1
  return kind
}

/** What each unit beyond ASCII is, plus one, as far as anybody has asked. */
let otherKinds: Uint8Array | undefined

const WORDS = /^[\p{L}\p{N}]$/u

/** Whether two units are one character. */
function isPair(text: string, at: number): boolean {
  const high = text.charCodeAt(at)
  const low = text.charCodeAt(at + 1)
  return high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff
}

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
