import { claudeCode } from './claude-code/format.ts'
import { codex } from './codex/format.ts'
import type { Format } from './format.ts'

/** The formats that are read, in the order in which they are tried. */
export const formats: readonly Format[] = [claudeCode, codex]

/** The format that these first records of a file are of: told by content, never by name. */
export function detectFormat(
  records: readonly unknown[],
  known: readonly Format[] = formats,
): Format | undefined {
  return known.find((format) => format.recognises(records))
}
