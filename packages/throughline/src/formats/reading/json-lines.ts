import { chunksOf, lineSplitter, longestLine, decoded, withoutMark } from './byte-lines.ts'
import { fieldsOf, type Fields } from '../../json/fields.ts'
import { oddMessages } from './odd-items.ts'
import type { ByteSource } from './byte-lines.ts'
import type { SkippedLine } from '../format.ts'

/** What could be read of a line that isn't one JSON object. */
interface SeveralValues {
  records: Fields[]
  reason: string
}

/**
 * Reads a line that isn't one JSON object: several objects in a row, or an object after or before
 * the remains of an unfinished one. Takes two passes over the line, whatever it contains.
 */
export function severalValues(line: string): SeveralValues {
  const records: Fields[] = []
  let start = 0
  for (const end of objectEnds(line)) {
    // A torn string swaps inside and outside, so an object that looks whole may not be.
    const record = parsed(line.slice(start, end))
    if (!record) break
    records.push(record)
    start = end
  }
  const broken = line.slice(start).trim() !== ''
  const trailing = broken ? objectsFromEnd(line, start) : []
  for (const [from, to] of trailing) {
    const record = parsed(line.slice(from, to))
    if (record) records.push(record)
  }
  return { records, reason: reasonFor(line, records.length, broken ? start : undefined) }
}

function reasonFor(line: string, read: number, broken: number | undefined): string {
  if (read === 0) {
    return line.trimStart().startsWith('{')
      ? 'torn: the line ends inside a JSON object'
      : 'not a JSON object'
  }
  const objects = read === 1 ? 'one object' : read === 2 ? 'two objects' : `${read} objects`
  if (broken !== undefined) return `torn at column ${broken + 1}; ${objects} read`
  return `${objects} on one line; ${read === 2 ? 'both' : 'all'} read`
}

function parsed(text: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return undefined
  }
}

const quote = 34
const backslash = 92
const open = 123
const close = 125

/** Where each object ends, reading from the start of the line. */
function objectEnds(line: string): number[] {
  const ends: number[] = []
  let depth = 0
  let inString = false
  for (let index = 0; index < line.length; index++) {
    const code = line.charCodeAt(index)
    if (inString) {
      if (code === backslash) index++
      else if (code === quote) inString = false
    } else if (code === open) {
      depth++
    } else if (code === close && --depth === 0) {
      ends.push(index + 1)
    } else if (depth <= 0 && !isSpace(code)) {
      break
    } else if (code === quote) {
      inString = true
    }
  }
  return ends
}

/**
 * The whole objects at the end of the line, read backwards: there, a string is known to be closed,
 * whereas reading forwards a torn string may swallow the next record.
 */
function objectsFromEnd(line: string, from: number): [from: number, to: number][] {
  const found: [number, number][] = []
  let depth = 0
  let inString = false
  let end = 0
  for (let index = line.length - 1; index >= from; index--) {
    const code = line.charCodeAt(index)
    if (code === quote) {
      let before = index - 1
      while (before >= from && line.charCodeAt(before) === backslash) before--
      const escaped = (index - before) % 2 === 0
      index = before + 1
      if (!escaped) inString = !inString
      continue
    }
    if (inString) continue
    if (code === close) {
      if (depth === 0) end = index + 1
      depth++
    } else if (code === open) {
      depth--
      if (depth < 0) break
      if (depth === 0) found.push([index, end])
    } else if (depth === 0 && !isSpace(code)) {
      break
    }
  }
  return found.toReversed()
}

function isSpace(code: number): boolean {
  return code === 32 || code === 9 || code === 13 || code === 10 || code === 0xfeff
}

/** Who is told of lines that are left out, and of progress. */
export interface JsonLinesOptions {
  /** Called with every line that isn't one whole JSON object. */
  onSkipped?: (line: SkippedLine) => void
  /** Called with the number of bytes read so far. */
  onProgress?: (bytes: number) => void
  /** Gets the line of each record that does not stand one line below the record before it. */
  lines?: WeakMap<object, number>
}

/**
 * Streams the objects of a JSON Lines file in constant memory: one batch, possibly empty, per piece
 * of the file, so that a reader can stop between pieces. Blank lines are skipped. Lines that are
 * torn, hold several objects or aren't UTF-8 are read as far as possible and reported.
 * @throws errors of the source, and none of its own
 */
export async function* readJsonLines(
  source: ByteSource,
  options: JsonLinesOptions = {},
): AsyncGenerator<Fields[]> {
  let batch: Fields[] = []
  let line = 0
  let bytes = 0
  let placed = 0
  const report = (reason: string, read: number): void => options.onSkipped?.({ line, reason, read })
  const splitter = lineSplitter((text) => {
    line++
    const known = batch.length
    readLine(text, line === 1, batch, report)
    for (const record of batch.slice(known)) {
      if (line !== placed + 1) options.lines?.set(record, line)
      placed = line
    }
  })
  for await (const chunk of chunksOf(source)) {
    splitter.push(chunk)
    bytes += chunk.length
    options.onProgress?.(bytes)
    yield batch
    batch = []
  }
  splitter.end()
  if (batch.length > 0) yield batch
}

function readLine(
  bytes: Uint8Array | undefined,
  first: boolean,
  batch: Fields[],
  report: (reason: string, read: number) => void,
): void {
  if (bytes === undefined) return report(`longer than ${longestLine >> 20} MiB`, 0)
  if (bytes.length === 0) return
  const { text, damage } = decoded(bytes)
  const line = first ? withoutMark(text) : text
  const record = objectIn(line)
  if (record) {
    batch.push(record)
    const reason = damage || oddMessages(record)
    if (reason) report(reason, 1)
    return
  }
  if (line.trim() === '') return
  const { records, reason } = severalValues(line)
  for (const found of records) batch.push(found)
  report(damage === '' ? reason : `${reason}; ${damage}`, records.length)
}

function objectIn(line: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(line))
  } catch {
    return undefined
  }
}
