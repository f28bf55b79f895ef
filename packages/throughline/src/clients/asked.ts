import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { clientRecordFile } from './record.ts'
import { agentsPin } from '../session/agent/pin-tool.ts'
import { countOf, fieldsOf, nameOf, type Fields, parsedJson } from '../json/fields.ts'
import type { CompactionAsked } from '../session/agent/compact-tool.ts'

/** What a person or the agent of a session has asked for, beside the record of its client. */
export interface Asked extends CompactionAsked {
  /** What is to be kept word for word; what the agent noted is marked as its own. */
  pins: string[]
}

type Environment = Readonly<Record<string, string | undefined>>

interface Line {
  /** Milliseconds since 1970. */
  at: number
  session: string
  pin?: string
  /** Missing where it was the agent. */
  by?: 'human'
  /** The text of a pin that is no longer to be kept. */
  unpin?: string
  compact?: CompactionAsked
}

function fileOf(client: string, env: Environment): string | undefined {
  return clientRecordFile(client, env)?.replace(/jsonl$/, 'asked.jsonl')
}

/**
 * Notes what is asked for; the hooks of its client read it at the next compaction.
 * @throws an error of the file system.
 */
export function noteAsked(client: string, env: Environment, line: Line): void {
  const file = fileOf(client, env)
  if (file === undefined) throw new Error('no data folder is known')
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 })
}

/** What was asked for in a session since its last compaction, and all that is pinned there. */
export function askedIn(
  client: string,
  env: Environment,
  { session, since = 0 }: { session: string; since?: number | undefined },
): Asked {
  const file = fileOf(client, env)
  const asked: Asked = { pins: [] }
  for (const line of file === undefined ? [] : linesOf(file)) {
    const fields = fieldsOf(parsedJson(line))
    if (fields?.['session'] !== session) continue
    const pin = pinIn(fields)
    if (pin !== undefined && !asked.pins.includes(pin)) asked.pins.push(pin)
    const unpinned = fields['unpin']
    asked.pins = asked.pins.filter((each) => each !== unpinned)
    if ((countOf(fields['at']) ?? 0) < since) continue
    const compact = fieldsOf(fields['compact'])
    if (!compact) continue
    const [focus, keep] = [nameOf(compact['focus']), nameOf(compact['keep'])]
    if (focus !== undefined) asked.focus = focus
    if (keep !== undefined) asked.keep = keep
  }
  return asked
}

function pinIn(fields: Fields): string | undefined {
  const pin = nameOf(fields['pin'])
  return pin === undefined || fields['by'] === 'human' ? pin : agentsPin + pin
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
