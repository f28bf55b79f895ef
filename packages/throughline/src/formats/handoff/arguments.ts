import { fieldsOf, type Fields } from '../../json/fields.ts'

const listMark = '[].'

/** The value of an argument, and the field of the input in which it stands. */
export function readArgument(
  input: Fields,
  name: string,
): { field: string; value: unknown } | undefined {
  const [field = '', inner] = name.split(listMark)
  if (!Object.hasOwn(input, field)) return undefined
  if (inner === undefined) return { field, value: input[field] }
  const list = input[field]
  // Several at once are more than one call elsewhere.
  const only = Array.isArray(list) && list.length === 1 ? fieldsOf(list[0]) : undefined
  if (!only || !Object.hasOwn(only, inner)) return undefined
  return { field, value: only[inner] }
}

/** The input with one more argument. */
export function withArgument(input: Fields, name: string, value: unknown): Fields {
  const [field = '', inner] = name.split(listMark)
  if (inner === undefined) return { ...input, [field]: value }
  const list = input[field]
  const object = Array.isArray(list) ? fieldsOf(list[0]) : undefined
  return { ...input, [field]: [{ ...object, [inner]: value }] }
}
