import { fieldsOf, isShallow } from '../../json/fields.ts'
import { isSame } from '../shapes/same.ts'

// What is nested deeper stays the text that it is.
const deepest = 150

/** The arguments of a call as they are looked at, and their own text where JSON would write another. */
export function readArguments(text: string): { input: unknown; arguments?: string } {
  const input = parsedObject(text)
  if (input === undefined) return { input: text }
  return JSON.stringify(input) === text ? { input } : { input, arguments: text }
}

/** The text of arguments: as it came, if they are still the same. */
export function writeArguments(input: unknown, came: unknown): string {
  if (typeof came === 'string' && isSame(parsedObject(came), input)) return came
  return typeof input === 'string' ? input : (JSON.stringify(input) ?? '{}')
}

function parsedObject(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = fieldsOf(value) !== undefined || Array.isArray(value)
    return isObject && isShallow(value, deepest) ? value : undefined
  } catch {
    return undefined
  }
}
