import { deepest, tag, tagged, tooDeep, untagged } from './tagged.ts'
import type { Entry, EntryDraft, Seq } from '../../log/entry.ts'

/**
 * An entry as it is stored: as JSON, because Node cuts texts at NUL and replaces lone surrogates,
 * and JSON escapes both.
 * @throws UnstorableValueError; RangeError if the result is longer than a string can be.
 */
export function encodeEntry(draft: EntryDraft): string {
  return JSON.stringify(isPlain(draft, 0) ? draft : tagged(draft))
}

/** A draft's text, and what the text will be read as. */
export interface EncodedEntry {
  text: string
  /** Once: plain drafts are not parsed again. */
  entry: (seq: Seq) => Entry
}

/**
 * The same with a copy of the draft, so that it does not matter what becomes of the draft until the
 * text is stored.
 * @throws UnstorableValueError; RangeError if the result is longer than a string can be.
 */
export function encodeWithCopy(draft: EntryDraft): EncodedEntry {
  if (isPlain(draft, 0)) {
    const copy = plainCopy(draft)
    return { text: JSON.stringify(copy), entry: (seq) => Object.assign(copy, { seq }) }
  }
  const text = JSON.stringify(tagged(draft))
  return { text, entry: (seq) => decodeEntry(text, seq) }
}

/**
 * An entry as it was appended.
 * @throws Error if the text is not an entry.
 */
export function decodeEntry(text: string, seq: Seq): Entry {
  const draft: EntryDraft = JSON.parse(text)
  if (typeof draft?.kind !== 'string') throw new TypeError('This is not an entry.')
  const entry = text.includes(`"${tag}"`) ? (untagged(draft) as EntryDraft) : draft
  return Object.assign(entry, { seq })
}

/** The value that `decodeEntry` returns for a draft's text. Plain drafts are not parsed again. */
export function readBack(draft: EntryDraft, text: string, seq: Seq): Entry {
  return isPlain(draft, 0) ? Object.assign(plainCopy(draft), { seq }) : decodeEntry(text, seq)
}

/** Whether JSON represents all of it, which is nearly always so. */
function isPlain(value: unknown, depth: number): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value == null) return true
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  if (typeof value !== 'object') return false
  if (depth >= deepest) throw tooDeep()
  if (Array.isArray(value)) return isPlainList(value, depth)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  for (const name in value) {
    if (name === tag || name === 'toJSON') return false
    if (!isPlain(Reflect.get(value, name), depth + 1)) return false
  }
  return true
}

/** JSON turns missing values into `null`. */
function isPlainList(list: readonly unknown[], depth: number): boolean {
  for (let index = 0; index < list.length; index++) {
    if (list[index] === undefined || !isPlain(list[index], depth + 1)) return false
  }
  return true
}

/**
 * A copy of plain data that shares nothing mutable: the same as writing and reading it as JSON, at
 * a cost that depends on its structure and not on its texts.
 */
function plainCopy<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(plainCopy) as Value
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(value)) {
    const field: unknown = Reflect.get(value, name)
    if (field === undefined) continue
    if (name === '__proto__') defineField(copy, name, plainCopy(field))
    else copy[name] = plainCopy(field)
  }
  return copy as Value
}

/** Assigning to `__proto__` would change the object itself. */
function defineField(copy: object, name: string, value: unknown): void {
  Object.defineProperty(copy, name, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  })
}
