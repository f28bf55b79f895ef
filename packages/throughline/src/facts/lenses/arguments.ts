import type { LensCall } from '../lens.ts'

/** The fields of an input; none if it isn't an object. */
export function fieldsOf(input: unknown): Readonly<Record<string, unknown>> {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
    ? (input as Readonly<Record<string, unknown>>)
    : {}
}

/** The first of these fields that is a non-empty text. */
export function textOf(input: unknown, ...keys: string[]): string | undefined {
  const fields = fieldsOf(input)
  for (const key of keys) {
    const value = Object.hasOwn(fields, key) ? fields[key] : undefined
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

/** The first of these fields that is a whole number; some harnesses write numbers as texts. */
export function numberOf(input: unknown, ...keys: string[]): number | undefined {
  const fields = fieldsOf(input)
  for (const key of keys) {
    const value = Object.hasOwn(fields, key) ? Number(fields[key]) : Number.NaN
    if (fields[key] !== null && fields[key] !== '' && Number.isSafeInteger(value)) return value
  }
  return undefined
}

/** The texts of a field that is one text or a list of them. */
export function textsOf(input: unknown, ...keys: string[]): string[] {
  const fields = fieldsOf(input)
  for (const key of keys) {
    const value = fields[key]
    if (typeof value === 'string' && value !== '') return [value]
    if (Array.isArray(value)) return value.filter((item) => typeof item === 'string')
  }
  return []
}

/** The objects of a field that is a list. */
export function itemsOf(input: unknown, key: string): unknown[] {
  const value = fieldsOf(input)[key]
  return Array.isArray(value) ? value : []
}

/** The names under which harnesses pass a file's path. */
export const PATH_KEYS = [
  'file_path',
  'filePath',
  'path',
  // Continue
  'filepath',
  'absolute_path',
  'notebook_path',
  'file',
  'filename',
] as const

/** The path that a call is about. */
export function pathOf(input: unknown): string | undefined {
  return textOf(input, ...PATH_KEYS)
}

/** Whether a call failed, by its mark or by the way harnesses without one begin their message. */
export function hasFailed({ failed, output }: LensCall): boolean {
  if (failed) return true
  return (
    output !== undefined &&
    /^(?:ERROR:|Error:|<tool_use_error>|Failed to |Could not find |No changes made|\[Operation Cancelled\]|Your (?:proposed )?edit (?:was not|has introduced)|Your search and replace strings|No file open)/.test(
      output.slice(0, 40),
    )
  )
}
