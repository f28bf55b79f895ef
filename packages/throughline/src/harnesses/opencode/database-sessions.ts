import { countOf, nameOf } from '../../json/fields.ts'
import { databaseFiles } from './database-files.ts'
import { readDatabase } from './read-database.ts'
import type { Harness, Surroundings } from '../../formats/writing/harness.ts'
import type { DatabaseSession, Unreadable } from '../found-session.ts'

/** The sessions that opencode keeps in its databases, without those of its subagents. */
export async function* databaseSessions(
  harness: Harness,
  surroundings: Surroundings,
  onUnreadable: (found: Unreadable) => void,
): AsyncGenerator<DatabaseSession[]> {
  for (const file of await databaseFiles(surroundings, onUnreadable)) {
    try {
      yield sessionsIn(harness, file)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      onUnreadable({ file, reason })
    }
  }
}

function sessionsIn(harness: Harness, file: string): DatabaseSession[] {
  const sql = 'SELECT id, time_updated FROM session WHERE parent_id IS NULL'
  const rows = readDatabase(file, ({ all }) => all(sql))
  return rows.flatMap((row): DatabaseSession[] => {
    const id = nameOf(row['id'])
    if (id === undefined) return []
    return [{ type: 'database', harness, id, at: countOf(row['time_updated']) ?? 0, file }]
  })
}
