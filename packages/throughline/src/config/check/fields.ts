import { fieldsOf, type Fields } from '../../json/fields.ts'
import { nearest } from '../nearest.ts'
import { inside, keyAt, problem, wrong, type Check, type Location } from './location.ts'
import type { SettingsOf } from '../setting.ts'

/** The check for the value of each key. */
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
