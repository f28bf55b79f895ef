import { countOf, nameOf, textOf } from '../json/fields.ts'
import { zstdDecompressSync } from 'node:zlib'
import { readDatabase, type Row, type Rows } from './opencode/database-sessions.ts'
import { namesIn } from './names-in.ts'
import type { DatabaseSession, Unreadable } from './found-session.ts'
import type { Harness, Surroundings } from '../formats/writing/harness.ts'

/** The sessions in OpenClaw's databases, without those of sub-agents and of its own upkeep. */
export async function* openclawSessions(
  harness: Harness,
  surroundings: Surroundings,
  onUnreadable: (found: Unreadable) => void,
): AsyncGenerator<DatabaseSession[]> {
  const [root] = harness.roots(surroundings)
  for (const file of root === undefined
    ? []
    : await databasesIn(root, surroundings, onUnreadable)) {
    try {
      yield readDatabase(file, ({ all }) => all(sessionRows)).flatMap((row): DatabaseSession[] => {
        const id = nameOf(row['session_id'])
        const at = countOf(row['updated_at']) ?? 0
        return id === undefined ? [] : [{ type: 'database', harness, id, at, file }]
      })
    } catch (error) {
      onUnreadable({ file, reason: error instanceof Error ? error.message : String(error) })
    }
  }
}

const sessionRows = `SELECT session_id, updated_at FROM session_windows
  WHERE session_key NOT LIKE '%:subagent:%' AND session_key NOT LIKE '%:internal-%'`

/** The entries of a session, one JSON object a line, as its files held them. */
export function* openclawEntries({ each }: Rows, id: string): Generator<string> {
  for (const row of each(entryRows, id)) yield `${entryIn(row)}\n`
}

const entryRows =
  'SELECT event_json, event_zstd FROM transcript_events WHERE session_id = ? ORDER BY seq'

function entryIn({ event_json: text, event_zstd: packed }: Row): string {
  if (packed instanceof Uint8Array) return zstdDecompressSync(packed).toString('utf8')
  return textOf(text) ?? '{}'
}

async function databasesIn(
  root: string,
  { path }: Surroundings,
  onUnreadable: (found: Unreadable) => void,
): Promise<string[]> {
  const files = await Promise.all(
    (await namesIn(root, onUnreadable)).map(async (agent) => {
      const folder = path.join(root, agent, 'agent')
      const names = await namesIn(folder, onUnreadable)
      return names.filter((name) => name === database).map((name) => path.join(folder, name))
    }),
  )
  return files.flat()
}

const database = 'openclaw-agent.sqlite'
