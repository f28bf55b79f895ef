/** An object of unknown shape, read field by field. */
export type Fields = Readonly<Record<string, unknown>>

/** The value as an object, or `undefined` if it is an array, `null` or not an object. */
export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : undefined
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The objects of a list; other items are skipped. */
export function objectsOf(value: unknown): Fields[] {
  const objects: Fields[] = []
  for (const item of listOf(value)) {
    const object = fieldsOf(item)
    if (object) objects.push(object)
  }
  return objects
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** A text that exists and isn't empty. */
export function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A count as providers report it: finite and not negative. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

/** A point in time in milliseconds since 1970, from an ISO text or from milliseconds. */
export function timeOf(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : value
  return typeof time === 'number' && Number.isFinite(time) ? time : undefined
}

/** A value as JSON text; `undefined` if it has none. */
export function jsonOf(value: unknown): string | undefined {
  return JSON.stringify(boundedValue(value))
}

const deepest = 200

/**
 * The value itself, or a note in its place if it is nested so deeply that later code, above all
 * `JSON.stringify`, would run out of stack.
 */
export function boundedValue(value: unknown): unknown {
  return isShallow(value, deepest) ? value : `[left out: nested deeper than ${deepest} levels]`
}

/** Whether a value is nested at most this many levels deep. */
export function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (levels === 0) return false
  return Object.values(value).every((inner) => isShallow(inner, levels - 1))
}

/** Inputs nest a few levels; deeper ones are malicious. */
const deepestLeaf = 32

/** The strings inside a decoded value, in order: the words of a tool's input. */
export function stringLeaves(value: unknown): string[] {
  const leaves: string[] = []
  collectLeaves(value, leaves, 0)
  return leaves
}

function collectLeaves(value: unknown, leaves: string[], depth: number): void {
  if (typeof value === 'string') leaves.push(value)
  else if (depth < deepestLeaf && typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) collectLeaves(item, leaves, depth + 1)
  }
}

/** Whether a value holds words of a language at any depth, or anything that is called a text. */
export function holdsWords(value: unknown, named = false, depth = 0): boolean {
  if (typeof value === 'string') {
    return named ? value.trim() !== '' : words.test(value.slice(0, mostLooked))
  }
  if (depth >= deepestLeaf || typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, inner]) =>
    holdsWords(inner, textName.test(key) || (named && key !== 'type'), depth + 1),
  )
}

const words = /\p{L}\p{P}{0,3}\s{1,3}\p{P}{0,3}\p{L}|\p{Lo}/u
const textName = /^(?:text|content)/
const mostLooked = 2000

/** The value that a text holds as JSON; `undefined` if it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The arguments of a call: JSON in a text. Text that can't be parsed stays as it is. */
export function decodedInput(input: unknown): unknown {
  if (typeof input !== 'string') return input ?? {}
  if (input.trim() === '') return {}
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}

/** The base64 data of a data URL and its media type; `undefined` for any other text. */
export function dataOf(url: string): { mediaType: string; data: string } | undefined {
  const comma = url.startsWith('data:') ? url.indexOf(',') : -1
  if (comma < 0) return undefined
  const [mediaType = '', ...flags] = url.slice('data:'.length, comma).split(';', 5)
  return flags.includes('base64') ? { mediaType, data: url.slice(comma + 1) } : undefined
}
