import { inside, wrong, type Check } from './location.ts'

export const trueOrFalse: Check<boolean> = (given, at) => {
  if (typeof given === 'boolean') return given
  throw wrong(given, at, 'true or false')
}

export function wholeNumber(least: 0 | 1): Check<number> {
  return (given, at) => {
    if (typeof given === 'number' && Number.isSafeInteger(given) && given >= least) return given
    throw wrong(given, at, `a whole number, ${least} or more`)
  }
}

/** A text that isn't empty; `expected` says what it is for. */
export function text(expected: string): Check<string> {
  return (given, at) => {
    if (typeof given === 'string' && given.trim() !== '') return given
    throw wrong(given, at, expected)
  }
}

export function word<Word extends string>(words: readonly Word[]): Check<Word> {
  return (given, at) => {
    const found = words.find((each) => each === given)
    if (found !== undefined) return found
    throw wrong(given, at, words.map((each) => `"${each}"`).join(' or '))
  }
}

export function list<Item>(item: Check<Item>): Check<readonly Item[]> {
  return (given, at) => {
    if (!Array.isArray(given)) throw wrong(given, at, 'a list')
    // Array.from visits holes, which hold no value.
    return Array.from(given, (each: unknown, index) => item(each, inside(at, index)))
  }
}

/** A function, which only code can define. Its parameters are the user's own affair. */
export function ownFunction<Own extends (...given: never[]) => unknown>(): Check<Own> {
  return (given, at) => {
    if (typeof given === 'function') return given as unknown as Own
    throw wrong(given, at, 'a function, in a .ts, .js or .mjs file')
  }
}
