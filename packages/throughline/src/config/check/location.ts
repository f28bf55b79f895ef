import { ConfigError, type ConfigFile } from '../errors.ts'

export interface Location {
  file: ConfigFile
  keys: readonly (string | number)[]
}

/** Reads a value, or throws an error that explains what is wrong with it. */
export type Check<Value> = (given: unknown, at: Location) => Value

export function inside({ file, keys }: Location, key: string | number): Location {
  return { file, keys: [...keys, key] }
}

/** @example keyAt({ file, keys: ['models', 'gpt-5.2', 'keep'] }) // 'models["gpt-5.2"].keep' */
export function keyAt({ keys }: Location): string {
  return keys.map(shownKey).join('').replace(/^\./, '')
}

function shownKey(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`
  return /^[A-Za-z_$][\w$-]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
}

export function wrong(given: unknown, at: Location, expected: string): ConfigError {
  return problem(at, `is ${shownValue(given)}; it must be ${expected}.`)
}

/** The same with its own text, which follows the key. */
export function problem(at: Location, message: string, cause?: unknown): ConfigError {
  const key = keyAt(at)
  const what = key === '' ? 'the configuration' : key
  return new ConfigError(`${what} ${message}`, { file: at.file, key, cause })
}

const longest = 60

export function shownValue(value: unknown): string {
  if (value === undefined) return 'missing'
  if (typeof value === 'function') return 'a function'
  const text = jsonOf(value)
  if (text.length <= longest) return text
  if (typeof value === 'string') return `${text.slice(0, longest)}…`
  return Array.isArray(value) ? 'a list' : 'an object'
}

function jsonOf(value: unknown): string {
  // JSON has no syntax for these.
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return 'an object'
  }
}
