import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readSessions } from '../fidelity/sessions.ts'
import type { MeasuredSession } from 'throughline/evaluation'

const root = join(import.meta.dirname, '../..')

export interface ChosenSessions {
  /** `corpus`, `sample`, or the folder that was named. */
  source: string
  sessions: MeasuredSession[]
}

/**
 * The sessions that were named, or the corpus where there is one, or the sample that is shipped.
 * @throws Error if a folder was named that holds no session.
 */
export async function chooseSessions(named: string | undefined): Promise<ChosenSessions> {
  if (named !== undefined) {
    const sessions = await readSessions(named)
    if (sessions.length > 0) return { source: named, sessions }
    throw new Error(`No session at ${named} is in a known format. Name another folder.`)
  }
  const corpus = process.env['THROUGHLINE_CORPUS'] ?? join(root, '../shared/corpus')
  if (existsSync(corpus)) return { source: 'corpus', sessions: await readSessions(corpus) }
  return { source: 'sample', sessions: await readSample() }
}

/** The session that is shipped with the examples. */
async function readSample(): Promise<MeasuredSession[]> {
  const all = await readSessions(join(root, 'examples'))
  return all.filter(({ name }) => name === 'sample-session')
}
