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
  for (const [found] of text.slice(0, WINDOW).toLowerCase().matchAll(WORD)) {
    const word = found.length > 80 ? found.slice(0, 80) : found
    if (UNSPACED.test(word)) for (const pair of pairsIn(word)) terms.add(pair)
    else if (word.length < 3 && !/\d/.test(word)) continue
    else if (!GRAMMAR.has(word)) terms.add(/^[a-z]+$/.test(word) ? stem(word) : word)
  }
  return [...terms]
}

const WORD = /[\p{L}\p{N}_](?:[\p{L}\p{N}_./:@~-]*[\p{L}\p{N}_])?/gu
const UNSPACED = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/

function stem(word: string): string {
  const short = word.replace(/(?:ing|ed|es|s)$/, '')
  return short.length >= 3 ? short : word
}

function pairsIn(word: string): string[] {
  const characters = [...word]
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`)
}

/** Whether a term is a name or a number rather than a word. */
export function isSpecific(term: string): boolean {
  return /[\d_./:@]/.test(term)
}
