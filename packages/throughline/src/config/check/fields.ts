import { fieldsOf, type Fields } from '../../json/fields.ts'
import { nearest } from '../nearest.ts'
import { inside, keyAt, problem, wrong, type Check, type Location } from './location.ts'
import type { SettingsOf } from '../setting.ts'

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
    const expected = new Intl.ListFormat('en', { style: 'short', type: 'disjunction' })
    throw wrong(given, at, expected.format(words.map((each) => `"${each}"`)))
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

export type Checks<Values> = { [Key in keyof Values]-?: Check<Values[Key]> }

/**
 * The object at this position.
 * @throws ConfigError if it is not an object or has an unknown key.
 */
export function fieldsAt(
  given: unknown,
  at: Location,
  known: readonly string[],
  elsewhere: (key: string) => string | undefined = () => undefined,
): Fields {
  const fields = fieldsOf(given)
  if (!fields) throw wrong(given, at, 'an object')
  const unknown = Object.keys(fields).find((key) => !known.includes(key))
  if (unknown === undefined) return fields
  const near = nearest(unknown, known)
  const meant = near === undefined ? elsewhere(unknown) : keyAt(inside(at, near))
  const hint =
    meant === undefined ? `known keys are ${known.join(', ')}.` : `did you mean ${meant}?`
  throw problem(inside(at, unknown), `is not a known key; ${hint}`)
}

/** Checks each value that is present. */
export function settingsAt<Values>(
  checks: Checks<Values>,
  fields: Fields,
  at: Location,
): SettingsOf<Values> {
  const settings: SettingsOf<Values> = {}
  for (const key of keysOf(checks)) {
    const given = fields[key]
    if (given === undefined) continue
    const location = inside(at, key)
    const value = checks[key](given, location)
    settings[key] = { value, given, key: keyAt(location), from: { type: 'file', file: at.file } }
  }
  return settings
}

export function keysOf<Values extends object>(values: Values): (keyof Values & string)[] {
  return Object.keys(values) as (keyof Values & string)[]
}
