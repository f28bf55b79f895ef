import { chunksOf, lineSplitter, longestLine, type ByteSource } from './byte-lines.ts'
import { decoded, withoutMark } from './decoded.ts'
import { fieldsOf, type Fields } from '../../json/fields.ts'
import { oddMessages } from './odd-items.ts'
import { severalValues } from './several-values.ts'
import type { SkippedLine } from '../format.ts'

/** Who is told of lines that are left out, and of progress. */
export interface JsonLinesOptions {
  /** Called with every line that isn't one whole JSON object. */
  onSkipped?: (line: SkippedLine) => void
  /** Called with the number of bytes read so far. */
  onProgress?: (bytes: number) => void
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
  const report = (reason: string, read: number): void => options.onSkipped?.({ line, reason, read })
  const splitter = lineSplitter((text) => {
    line++
    readLine(text, line === 1, batch, report)
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
