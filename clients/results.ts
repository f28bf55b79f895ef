import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import type { Tools } from './sessions.ts'

/** The results of one client, in the file that the docs are generated from. */
interface ClientResult {
  name: string
  package: string
  version: string
  /** The day it was run. */
  date: string
  /** The commit of Throughline that was run. */
  build?: string
  sessions: SessionResult[]
  /** What happened with our plugin in it; for clients that take one. */
  inside?: InsideResult[]
  /** Why the client could not be run this time: nothing else here is of this time. */
  missing?: string
}

/** What a client did with our plugin in it. */
export interface InsideResult {
  /** Of the client: the one that ran, or the generation that could not be fetched. */
  version: string
  scenario: string
  result: 'passed' | 'failed' | 'not run'
  problems: string[]
}

export interface SessionResult {
  session: string
  tools: Tools
  /** Empty if the client resumed correctly. */
  problems: string[]
}

/**
 * Writes results over those of the same clients, in order of name; the rest of the file stays. What
 * another build has done in a client is no result of this one, and goes. A client that is missing
 * this time keeps what is known of it, and says so.
 */
export async function saveResults(path: string, results: readonly FoundNow[]): Promise<void> {
  const kept = existsSync(path) ? (JSON.parse(await readFile(path, 'utf8')) as ClientResult[]) : []
  const all = new Map(kept.map((result) => [result.name, result]))
  for (const result of results) {
    const { missing: _, ...known } = all.get(result.name) ?? {}
    const isMissing = result.missing !== undefined
    const before: Partial<ClientResult> = known
    const same = isMissing || before.build === result.build ? before : {}
    const build = isMissing && before.build !== undefined ? { build: before.build } : {}
    all.set(result.name, { sessions: [], ...same, ...result, ...build })
  }
  const sorted = [...all.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  await writeFile(path, `${JSON.stringify(sorted, null, 2)}\n`)
}

/** What one run has found of a client: not always everything that is recorded of it. */
export type FoundNow = Omit<ClientResult, 'sessions'> & Partial<Pick<ClientResult, 'sessions'>>
