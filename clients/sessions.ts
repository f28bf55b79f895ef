import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readdir } from 'node:fs/promises'

const repository = join(import.meta.dirname, '..')
const corpus = process.env['THROUGHLINE_CORPUS'] ?? join(repository, '../shared/corpus')
const sample = join(repository, 'examples/sample-session.jsonl')

/** The sessions that a client goes on from: one of its own and one of another harness, where there are real ones. */
export async function sessionsFor(client: string): Promise<string[]> {
  const own = await firstOf(client)
  if (client !== 'claude-code') return [...own, sample]
  return [...(own.length > 0 ? own : [sample]), ...(await firstOf('codex'))]
}

async function firstOf(harness: string): Promise<string[]> {
  const folder = join(corpus, harness)
  if (!existsSync(folder)) return []
  const [first] = (await readdir(folder)).sort()
  return first === undefined ? [] : [join(folder, first)]
}
