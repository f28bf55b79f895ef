import { losslessEntries } from './lossless-claw-sessions.ts'
import { openclawEntries } from './openclaw-sessions.ts'
import type { Rows } from './opencode/database-sessions.ts'

/** The harnesses whose databases hold entries, one a line of their format. */
const linesBy: ReadonlyMap<string, (rows: Rows, id: string) => Generator<string>> = new Map([
  ['openclaw', openclawEntries],
  ['lossless-claw', losslessEntries],
])

/** How the sessions of a harness are read out of its database, if they are lines there. */
export function linesOf(harness: { name: string }) {
  return linesBy.get(harness.name)
}
