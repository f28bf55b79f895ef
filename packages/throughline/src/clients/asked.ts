import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { clientRecordFile } from './record.ts'
import { countOf, fieldsOf, nameOf } from '../json/fields.ts'
import type { CompactionAsked } from '../session/agent/compact-tool.ts'

/** What the agent of a session has asked for over MCP, beside the record of its client. */
export interface Asked extends CompactionAsked {
  /** What it wants to keep, word for word, marked as its own. */
  pins: string[]
  /** What it learned in the sub-tasks that it has closed. */
  learned?: Learned[]
}

/** What an agent learned in a sub-task. */
interface Learned {
  task: string
  learned: string
}

type Environment = Readonly<Record<string, string | undefined>>

interface Line {
  /** Milliseconds since 1970. */
  at: number
  session: string
  pin?: string
  compact?: CompactionAsked
  learned?: Learned
}

function fileOf(client: string, env: Environment): string | undefined {
  return clientRecordFile(client, env)?.replace(/jsonl$/, 'asked.jsonl')
}

/**
 * Notes what an agent asks for; the hooks of its client read it at the next compaction.
 * @throws an error of the file system.
 */
export function noteAsked(client: string, env: Environment, line: Line): void {
  const file = fileOf(client, env)
  if (file === undefined) throw new Error('no data folder is known')
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 })
}

/** What the agent of a session has asked for since its last compaction, and all that it pinned. */
export function askedIn(
  client: string,
  env: Environment,
  { session, since = 0 }: { session: string; since?: number | undefined },
): Asked {
  const file = fileOf(client, env)
  const learnt: Learned[] = []
  const asked: Asked = { pins: [] }
  for (const line of file === undefined ? [] : linesOf(file)) {
    const fields = fieldsOf(parsed(line))
    if (fields?.['session'] !== session) continue
    const pin = nameOf(fields['pin'])
    if (pin !== undefined && !asked.pins.includes(pin)) asked.pins.push(pin)
    if ((countOf(fields['at']) ?? 0) < since) continue
    const closed = fieldsOf(fields['learned'])
    const [task, learned] = [nameOf(closed?.['task']), nameOf(closed?.['learned'])]
    if (task !== undefined && learned !== undefined) learnt.push({ task, learned })
    const compact = fieldsOf(fields['compact'])
    if (!compact) continue
    const [focus, keep] = [nameOf(compact['focus']), nameOf(compact['keep'])]
    if (focus !== undefined) asked.focus = focus
    if (keep !== undefined) asked.keep = keep
  }
  return learnt.length === 0 ? asked : { ...asked, learned: learnt }
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
