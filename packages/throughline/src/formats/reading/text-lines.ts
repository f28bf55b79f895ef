import { chunksOf, lineSplitter, longestLine, type ByteSource } from './byte-lines.ts'
import { decoded, withoutMark } from './decoded.ts'
import type { JsonLinesOptions } from './json-lines.ts'

/**
 * Streams the lines of a text in constant memory, blank ones too and each without its end: one
 * batch, which may be empty, for each piece of the file. Lines that are not UTF-8 are given with
 * their broken characters replaced, and reported.
 * @throws what the source throws, and nothing of its own
 */
export async function* readTextLines(
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
