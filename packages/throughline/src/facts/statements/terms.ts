import { ownText } from '../own-text.ts'

/** How much of a text is read for its terms. */
const WINDOW = 2_000
/** A longer word is cut. */
const LONGEST = 80

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
  der die das und nicht ein eine mit für von ist sind auf auch als wie bei`.split(/\s+/),
)

/** What begins and ends with a letter, a digit or an underscore, with some marks between. */
const WORD = /[\p{L}\p{N}_](?:[\p{L}\p{N}_./:@~-]*[\p{L}\p{N}_])?/gu
const UNSPACED = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/
const ENDING = /(?<=^[a-z]{3,})(?:ing|ed|es|s)$/

/**
 * What a text is about: its words in lower case without plural and verb endings, its names and its
 * numbers, each once. Scripts without spaces are read in pairs of characters.
 */
export function termsOf(text: string): string[] {
  const terms = new Set<string>()
  for (const whole of text.slice(0, WINDOW).toLowerCase().match(WORD) ?? []) {
    const word = whole.slice(0, LONGEST)
    if (UNSPACED.test(word)) {
      const characters = [...word]
      for (let at = 1; at < characters.length; at++) {
        terms.add(`${characters[at - 1]}${characters[at]}`)
      }
    } else if ((word.length >= 3 || /\d/.test(word)) && !GRAMMAR.has(word)) {
      terms.add(word.replace(ENDING, ''))
    }
  }
  return [...terms]
}

/** Terms as numbers, from 0 on. */
export class Vocabulary {
  readonly #numbers = new Map<string, number>()

  get size(): number {
    return this.#numbers.size
  }

  /** The numbers of the terms of a text; those that are new get one. */
  read(text: string): number[] {
    return termsOf(text).map((term) => {
      const number = this.#numbers.get(term) ?? this.#numbers.size
      if (number === this.#numbers.size) this.#numbers.set(ownText(term), number)
      return number
    })
  }

  /** The numbers of those terms of a text that have one. */
  known(text: string): number[] {
    return termsOf(text).flatMap((term) => this.#numbers.get(term) ?? [])
  }
}
