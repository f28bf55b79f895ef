import { nameOf } from '../../json/fields.ts'

/** What we write where a harness wants to be told of a model, and the session names none. */
export const noModel = 'unknown'

/** The name of a model, if a record holds one. */
export function modelNameOf(value: unknown): string | undefined {
  const name = nameOf(value)
  return name === noModel ? undefined : name
}
