import { fieldsOf, listOf, objectsOf, type Fields } from '../../json/fields.ts'
import { oddItems, oddMessages } from './odd-items.ts'
import type { SkippedLine } from '../format.ts'

const objectStart = 123
const objectEnd = 125
const listStart = 91
const listEnd = 93
const quote = 34
const backslash = 92
const newline = 10

/**
 * Whether a file that starts like this may be one JSON document and not JSON Lines: it opens a list
 * of objects, or an object that its first line leaves open; `undefined` if that isn't clear yet.
 * Strings can't cross the end of a line, so a line that ends inside one is a torn record.
 */
export function startsDocument(bytes: Uint8Array): boolean | undefined {
  const start = skipSpace(bytes, startsWithMark(bytes) ? 3 : 0)
  if (start === bytes.length) return undefined
  if (bytes[start] !== listStart) return bytes[start] === objectStart && staysOpen(bytes, start)
  const next = skipSpace(bytes, start + 1)
  if (next === bytes.length) return undefined
  return bytes[next] === objectStart || bytes[next] === listEnd
}

function staysOpen(bytes: Uint8Array, start: number): boolean | undefined {
  let depth = 0
  let inString = false
  for (let index = start; index < bytes.length; index++) {
    const byte = bytes[index]
    if (byte === newline) return !inString && depth > 0
    if (inString) {
      if (byte === backslash) index++
      else if (byte === quote) inString = false
    } else if (byte === quote) inString = true
    else if (byte === objectStart || byte === listStart) depth++
    else if ((byte === objectEnd || byte === listEnd) && --depth === 0) return false
  }
  return undefined
}

function startsWithMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && isSpace(bytes[at])) at++
  return at
}

function isSpace(byte: number | undefined): boolean {
  return byte === 32 || byte === 9 || byte === 10 || byte === 13
}

/**
 * The records of a JSON document: an object is one record, and a list holds one record per object.
 * A truncated document is read up to the last whole item of the outermost list that is left open,
 * and reported. `undefined` if the text isn't a JSON document.
 */
export function documentRecords(
  text: string,
  onSkipped: (line: SkippedLine) => void,
): Fields[] | undefined {
  const whole = parsed(text)
  if (whole) return recordsIn(whole.value, onSkipped)
  const cut = cutOffAt(text)
  const mended = cut && parsed(text.slice(0, cut.end) + cut.closing)
  if (!cut || !mended) return undefined
  const reason = 'the JSON document is truncated; read up to here'
  onSkipped({ line: cut.line, reason, read: 1 })
  return recordsIn(mended.value, onSkipped)
}

function recordsIn(value: unknown, onSkipped: (line: SkippedLine) => void): Fields[] {
  const object = fieldsOf(value)
  const records = object ? [object] : objectsOf(value)
  const reason = object ? oddMessages(object) : oddItems(listOf(value), 'the list')
  if (reason !== undefined) onSkipped({ line: 1, reason, read: records.length })
  return records
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** Where a truncated document can be ended, and how. */
interface CutOff {
  /** The position after the last whole item. */
  end: number
  /** The text that closes everything open at that point. */
  closing: string
  /** The line of it, counted from 1. */
  line: number
}

/**
 * Finds the last whole item of the outermost list that a JSON text leaves open, in one pass;
 * `undefined` if the text leaves no list open, or has no whole item in it.
 */
function cutOffAt(text: string): CutOff | undefined {
  let depth = 0
  let inString = false
  let line = 1
  /** The depth of the outermost open list; 0 if none is open. */
  let list = 0
  let end = 0
  let endLine = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === newline) line++
    if (inString) {
      if (code === backslash) index++
      else if (code === quote) inString = false
    } else if (code === quote) inString = true
    else if (code === objectStart) depth++
    else if (code === listStart) {
      depth++
      if (list === 0) list = depth
    } else if (code === objectEnd || code === listEnd) {
      depth--
      if (list > 0 && depth === list) {
        end = index + 1
        endLine = line
      } else if (depth < list) {
        list = 0
        end = 0
      }
    }
  }
  return end > 0 ? { end, closing: `]${'}'.repeat(list - 1)}`, line: endLine } : undefined
}
