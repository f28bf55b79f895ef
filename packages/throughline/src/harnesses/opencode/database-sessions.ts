import { countOf, nameOf } from '../../json/fields.ts'
import { readDatabase } from './read-database.ts'
import type { Harness, Surroundings } from '../../formats/writing/harness.ts'
import type { DatabaseSession, Unreadable } from '../found-session.ts'
import { readdir } from 'node:fs/promises'
import { ownFolder } from '../../formats/writing/own-folder.ts'
import { codeOf } from '../errors.ts'

/** The sessions in opencode's databases, without those of subagents. */
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

/**
 * opencode's databases: the one that `OPENCODE_DB` names, else those of all release channels in its
 * own folder.
 */
async function databaseFiles(
  surroundings: Surroundings,
  onUnreadable: (found: Unreadable) => void,
): Promise<string[]> {
  const { variables, path } = surroundings
  const [folder] = ownFolder(surroundings, {
    variable: 'XDG_DATA_HOME',
    names: ['.local', 'share'],
    behind: ['opencode'],
  })
  const named = variables['OPENCODE_DB']
  if (named !== undefined && path.isAbsolute(named)) return [named]
  if (folder === undefined) return []
  if (named !== undefined && named !== '') {
    return named === ':memory:' ? [] : [path.join(folder, named)]
  }
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile() && isDatabase(entry.name))
    return files.map(({ name }) => path.join(folder, name))
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') onUnreadable({ file: folder, reason: codeOf(error) })
    return []
  }
}

function isDatabase(name: string): boolean {
  return /^opencode(?:-[\w.-]+)?\.db$/.test(name)
}
