import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import type { Tools } from './sessions.ts'

/** The results of one client, in the file that the docs are generated from. */
export interface ClientResult {
  name: string
  package: string
  version: string
  /** The day it was run. */
  date: string
  sessions: SessionResult[]
}

export interface SessionResult {
  session: string
  tools: Tools
  /** Empty if the client resumed correctly. */
  problems: string[]
}

/** Writes results over those of the same clients, in order of name; the rest of the file stays. */
export async function saveResults(path: string, results: readonly ClientResult[]): Promise<void> {
  const kept = existsSync(path) ? (JSON.parse(await readFile(path, 'utf8')) as ClientResult[]) : []
  const all = new Map([...kept, ...results].map((result) => [result.name, result]))
  const sorted = [...all.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  await writeFile(path, `${JSON.stringify(sorted, null, 2)}\n`)
}
