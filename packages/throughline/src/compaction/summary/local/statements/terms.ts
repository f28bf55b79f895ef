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
  if (!addPlainTerms(lower, terms)) {
    terms.clear()
    for (const [found] of lower.matchAll(WORD)) {
      const word = found.length > 80 ? found.slice(0, 80) : found
      if (UNSPACED.test(word)) for (const pair of pairsIn(word)) terms.add(pair)
      else if (word.length < 3 && !/\d/.test(word)) continue
      else if (!GRAMMAR.has(word)) terms.add(/^[a-z]+$/.test(word) ? stem(word) : word)
    }
  }
  return [...terms]
}

// What the characters of plain text are, as `WORD` has it.
const INNER = 1
const LETTER = 2
const DIGIT = 3
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 97 && code <= 122) return LETTER
  if (code >= 48 && code <= 57) return DIGIT
  // An underscore begins and ends words as letters do, but makes none of them plain.
  if (code === 95) return 4
  return './:@~-'.includes(String.fromCharCode(code)) ? INNER : 0
})

/** The same for ASCII text in lower case, several times as fast; `false` if it is none. */
function addPlainTerms(text: string, terms: Set<string>): boolean {
  for (let at = 0; at < text.length;) {
    const first = text.charCodeAt(at)
    if (first >= 128) return false
    if ((kinds[first] as number) < LETTER) {
      at++
      continue
    }
    let end = at
    let last = at
    let letters = 0
    let digits = 0
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end)
      if (code >= 128) return false
      const kind = kinds[code] as number
      if (kind === 0) break
      if (kind === INNER) continue
      last = end
      if (kind === LETTER) letters++
      else if (kind === DIGIT) digits++
    }
    const length = last + 1 - at
    if (length > 80) {
      const word = text.slice(at, at + 80)
      if (!GRAMMAR.has(word)) terms.add(/^[a-z]+$/.test(word) ? stem(word) : word)
    } else if (length >= 3 || digits > 0) {
      const word = text.slice(at, last + 1)
      if (!GRAMMAR.has(word)) terms.add(letters === length ? stem(word) : word)
    }
    at = last + 1
  }
  return true
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
export function isSpecific(term: string): boolean {
  return /[\d_./:@]/.test(term)
}
