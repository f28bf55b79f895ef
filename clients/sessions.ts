import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readdir } from 'node:fs/promises'
import { everyTool } from './every-tool.ts'

/** What a client resumes. */
export interface Start {
  /** The path of a session. */
  path: string
  tools: Tools
}

/** Whether the kept calls stay as they are, or become calls of the client's own tools. */
export type Tools = 'as they are' | 'handed over'

const repository = join(import.meta.dirname, '..')
const corpus = process.env['THROUGHLINE_CORPUS'] ?? join(repository, '../shared/corpus')
const sample = join(repository, 'examples/sample-session.jsonl')

/**
 * What a client resumes: one of its own sessions and one of another harness, if there are real
 * ones, the latter handed over; and one that calls every tool, handed over.
 */
export async function startsFor(client: string): Promise<Start[]> {
  const own = await firstOf(client)
  const ownOrSample = client === 'claude-code' && own.length === 0 ? [sample] : own
  const other = client === 'claude-code' ? await firstOf('codex') : [sample]
  return [
    ...asTheyAre([...ownOrSample, ...other]),
    ...handedOver([...other, await everyTool(client)]),
  ]
}

export function asTheyAre(paths: readonly string[]): Start[] {
  return paths.map((path) => ({ path, tools: 'as they are' }))
}

export function handedOver(paths: readonly string[]): Start[] {
  return paths.map((path) => ({ path, tools: 'handed over' }))
}

async function firstOf(harness: string): Promise<string[]> {
  const folder = join(corpus, harness)
  if (!existsSync(folder)) return []
  const [first] = (await readdir(folder)).sort()
  return first === undefined ? [] : [join(folder, first)]
}
