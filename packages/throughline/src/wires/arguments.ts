import { fieldsOf, isShallow, type Fields } from '../json/fields.ts'
import { isSame } from '../match/same.ts'

// Arguments that are nested deeper stay text.
const deepest = 150

/**
 * The arguments of a call as we read them, and a note if we would write them differently. Text that
 * isn't JSON stays text, and missing arguments are an empty object.
 */
export function readArguments(given: unknown): { input: unknown; arguments?: string } & Fields {
  if (given === undefined) return { input: {}, given: 'absent' }
  if (typeof given !== 'string') return { input: given, given: 'plain' }
  if (given.trim() === '') return { input: {}, arguments: given }
  const input = parsedObject(given)
  if (input === undefined) return { input: given }
  return JSON.stringify(input) === given ? { input } : { input, arguments: given }
}

/** The arguments as a field: in their original form, if they are still the same. */
export function writeArguments(input: unknown, noted: Fields): Fields {
  const { given, arguments: came } = noted
  if (given === 'plain') return { arguments: input }
  if (given === 'absent' && isSame(input, {})) return {}
  return { arguments: argumentsText(input, came) }
}

function argumentsText(input: unknown, came: unknown): string {
  if (typeof came === 'string' && isSame(readArguments(came).input, input)) return came
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
