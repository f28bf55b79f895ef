import {
  chunksOf,
  joined,
  longestLine,
  type ByteSource,
  lineSplitter,
  decoded,
  withoutMark,
} from './byte-lines.ts'
import { documentRecords, startsDocument } from './json-document.ts'
import { readJsonLines, type JsonLinesOptions } from './json-lines.ts'
import type { Fields } from '../../json/fields.ts'
import type { Format, SkippedLine } from '../format.ts'

/** How much of a file is examined to tell a JSON document from JSON Lines. */
const startLength = 256 * 1024

/**
 * The records of a session file, in batches. JSON Lines are streamed in constant memory, one object
 * per line. A JSON document is held in memory whole: an object is one record, and a list holds one
 * record per object, all in one batch.
 * @throws errors of the source, and none of its own
 */
export async function* readRecords(
  source: ByteSource,
  options: JsonLinesOptions = {},
): AsyncGenerator<Fields[]> {
  const chunks = chunksOf(source)
  const held: Uint8Array[] = []
  try {
    if ((await holdsDocument(chunks, held)) && (yield* readDocument(chunks, held, options))) return
    yield* readJsonLines(behind(held, chunks), options)
  } finally {
    await chunks.return(undefined)
  }
}

/**
 * The records of a file of this format, in batches: objects of JSON, or lines of text.
 * @throws what the source throws, and nothing of its own
 */
export function recordsOf(
  { syntax }: Format,
  source: ByteSource,
  options: JsonLinesOptions = {},
): AsyncGenerator<readonly unknown[]> {
  return syntax === 'text' ? readTextLines(source, options) : readRecords(source, options)
}

/** Reads until the format is certain; everything read so far is in `held`. */
async function holdsDocument(
  chunks: AsyncGenerator<Uint8Array>,
  held: Uint8Array[],
): Promise<boolean> {
  let length = 0
  let looked = 0
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    held.push(next.value)
    length += next.value.length
    // Examined again each time it has doubled, so tiny chunks cost no more than large ones.
    if (length < 2 * looked) continue
    looked = length
    const answer = startsDocument(joined(held, length))
    if (answer !== undefined || length >= startLength) return answer ?? false
  }
  return startsDocument(joined(held, length)) ?? false
}

/** The document's records in one batch; returns whether there was one. */
async function* readDocument(
  chunks: AsyncGenerator<Uint8Array>,
  held: Uint8Array[],
  { onSkipped, onProgress, lines }: JsonLinesOptions,
): AsyncGenerator<Fields[], boolean> {
  let length = 0
  for (const chunk of held) length += chunk.length
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    held.push(next.value)
    length += next.value.length
    // No engine holds more as one string.
    if (length > longestLine) return false
    onProgress?.(length)
    yield []
  }
  const { text, damage } = decoded(joined(held, length))
  const skipped: SkippedLine[] = []
  const records = documentRecords(withoutMark(text), (line) => skipped.push(line))
  if (!records) return false
  onProgress?.(length)
  if (damage) onSkipped?.({ line: 1, reason: damage, read: records.length })
  for (const line of skipped) onSkipped?.(line)
  for (const record of records) lines?.set(record, 1)
  yield records
  return true
}

async function* behind(
  held: readonly Uint8Array[],
  chunks: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* held
  yield* chunks
}

/**
 * Streams the lines of a text in constant memory, blank ones too and each without its end: one
 * batch, which may be empty, for each piece of the file. Lines that are not UTF-8 are given with
 * their broken characters replaced, and reported.
 * @throws what the source throws, and nothing of its own
 */
async function* readTextLines(
  source: ByteSource,
  { onSkipped, onProgress }: JsonLinesOptions = {},
): AsyncGenerator<string[]> {
  let batch: string[] = []
  let line = 0
  let bytes = 0
  const splitter = lineSplitter((found) => {
    line++
    if (!found) {
      return onSkipped?.({ line, reason: `longer than ${longestLine >> 20} MiB`, read: 0 })
    }
    const { text, damage } = decoded(found)
    if (damage) onSkipped?.({ line, reason: damage, read: 1 })
    const whole = line === 1 ? withoutMark(text) : text
    batch.push(whole.endsWith('\r') ? whole.slice(0, -1) : whole)
  })
  for await (const chunk of chunksOf(source)) {
    splitter.push(chunk)
    bytes += chunk.length
    onProgress?.(bytes)
    yield batch
    batch = []
  }
  splitter.end()
  if (batch.length > 0) yield batch
}
