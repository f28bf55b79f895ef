import { fieldsOf, type Fields } from '../json/fields.ts'
import type { ProviderOptions } from '../log/message.ts'

/** The mark at the start of an output whose call failed. */
export const failureMark = '[The call failed.]'

/** An output whose call failed, for an API that has no field for failures. */
export function markedFailure(text: string): string {
  return text === '' ? failureMark : `${failureMark}\n${text}`
}

/** The text after a mark; `undefined` if there is no mark. */
export function withoutFailureMark(text: string): string | undefined {
  if (!text.startsWith(failureMark)) return undefined
  const rest = text.slice(failureMark.length)
  // Text that we would not write is not our mark.
  if (rest === '') return ''
  return rest.startsWith('\n') && rest.length > 1 ? rest.slice(1) : undefined
}

/**
 * Fields of an API's part that have no place in our own shape. They are stored among the provider
 * options, under a name that no provider reads, so that they survive a store and come back.
 */
export interface Notes {
  /** The note as provider options; nothing if there is nothing to note. */
  with: (note: Fields, others?: ProviderOptions) => { providerOptions?: ProviderOptions }
  of: (part: object) => Fields
  /** Another note, with the part's other provider options. */
  beside: (
    part: { providerOptions?: ProviderOptions },
    note: Fields,
  ) => { providerOptions?: ProviderOptions }
}

export function notesUnder(name: string): Notes {
  const notes: Notes = {
    with(note, others = {}) {
      const said = restOf(note, [])
      if (said) return { providerOptions: { ...others, [name]: said } }
      return Object.keys(others).length === 0 ? {} : { providerOptions: { ...others } }
    },
    of: (part) => fieldsOf(fieldsOf(Reflect.get(part, 'providerOptions'))?.[name]) ?? {},
    beside({ providerOptions = {} }, note) {
      const { [name]: _, ...others } = providerOptions
      return notes.with(note, others)
    },
  }
  return notes
}

/** The fields without those represented elsewhere; `undefined` if none are left. */
export function restOf(fields: Fields, said: readonly string[]): Fields | undefined {
  let left: string[] | undefined
  for (const key in fields) {
    if (fields[key] === undefined || said.includes(key) || !Object.hasOwn(fields, key)) continue
    if (left) left.push(key)
    else left = [key]
  }
  return left && Object.fromEntries(left.map((key) => [key, fields[key]]))
}
