import { formats } from '../formats.ts'
import type { Format } from '../format.ts'

/** The format of a file's first records: detected from content, never from its name. */
export function detectFormat(
  records: readonly unknown[],
  known: readonly Format[] = formats,
): Format | undefined {
  return known.find((format) => format.recognises(records))
}
