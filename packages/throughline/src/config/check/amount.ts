import { parseTokens } from '../../tokens/windows.ts'
import { problem, shownValue, wrong, type Check, type Location } from './location.ts'

/** A policy's function that returns a number of tokens. */
type AmountOf<Given extends readonly unknown[]> = (...given: Given) => number

/**
 * An amount of tokens as a policy may give it: a number, a text such as `8k`, a share of `whole`,
 * or a function. `least` is the smallest sensible amount.
 */
export function amount<Given extends readonly unknown[]>(
  whole: AmountOf<Given>,
  least: 0 | 1,
): Check<AmountOf<Given>> {
  return (given, at) => {
    if (typeof given === 'function') return watched(given as AmountOf<Given>, at)
    const percent = percentOf(given)
    if (percent !== undefined && percent >= least) {
      return (...args) => Math.floor((whole(...args) * percent) / 100)
    }
    const tokens = tokensOf(given)
    if (tokens !== undefined && tokens >= least) return () => tokens
    throw wrong(given, at, 'tokens such as 8000 or "8k", or a percentage such as "40%"')
  }
}

/** A number of tokens; `undefined` if it isn't one. */
export function tokensOf(given: unknown): number | undefined {
  if (typeof given === 'string') return parseTokens(given)
  return typeof given === 'number' && Number.isSafeInteger(given) && given >= 0 ? given : undefined
}

function percentOf(given: unknown): number | undefined {
  const match = typeof given === 'string' ? /^(\d{1,3}(?:\.\d{1,6})?) ?%$/.exec(given) : null
  const percent = Number(match?.[1])
  return percent <= 100 ? percent : undefined
}

/** The user's own function; each of its results is checked. */
function watched<Given extends readonly unknown[]>(
  own: AmountOf<Given>,
  at: Location,
): AmountOf<Given> {
  return (...given) => {
    let tokens: unknown
    try {
      tokens = own(...given)
    } catch (error) {
      throw problem(at, `threw ${String(error)} for ${shownValue(given[0])}.`, error)
    }
    if (typeof tokens === 'number' && Number.isFinite(tokens) && tokens >= 0) return tokens
    throw problem(
      at,
      `returned ${tokens === undefined ? 'nothing' : shownValue(tokens)} for ${shownValue(given[0])}; it must return a number of tokens.`,
    )
  }
}
