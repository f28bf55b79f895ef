import { fieldsOf, type Fields } from '../json/fields.ts'
import type { ProviderOptions } from '../log/message.ts'

/**
 * What an API says of a part that our own shape has no word for. It stands among the provider
 * options, under a name that no provider reads, so that it goes through a store and comes back.
 */
export interface Notes {
  /** The note as provider options; nothing where there is nothing to note. */
  with: (note: Fields, others?: ProviderOptions) => { providerOptions?: ProviderOptions }
  of: (part: object) => Fields
  /** Another note with the provider options that a part has besides. */
  beside: (
    part: { providerOptions?: ProviderOptions },
    note: Fields,
  ) => { providerOptions?: ProviderOptions }
}

export function notesUnder(name: string): Notes {
  const notes: Notes = {
    with(note, others = {}) {
      const said = definedFields(note)
      const options = {
        ...others,
        ...(Object.keys(said).length > 0 && { [name]: said }),
      }
      return Object.keys(options).length === 0 ? {} : { providerOptions: options }
    },
    of: (part) => fieldsOf(fieldsOf(Reflect.get(part, 'providerOptions'))?.[name]) ?? {},
    beside({ providerOptions = {} }, note) {
      const { [name]: _, ...others } = providerOptions
      return notes.with(note, others)
    },
  }
  return notes
}

/** The fields but for those that are said elsewhere; `undefined` where none are left. */
export function restOf(fields: Fields, said: readonly string[]): Fields | undefined {
  const left = Object.entries(fields).filter(
    ([key, field]) => field !== undefined && !said.includes(key),
  )
  return left.length === 0 ? undefined : Object.fromEntries(left)
}

function definedFields(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== undefined))
}
