import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fieldsOf, type Fields } from '../../json/fields.ts'
import { ownFolder, type Harness, type Surroundings } from '../../formats/writing/harness.ts'
import { codeOf } from '../errors.ts'
import { namesIn } from '../names-in.ts'
import type { StorageSession, Unreadable } from '../found-session.ts'

/**
 * The sessions that opencode before 1.2 kept as one small file per session, message and part:
 * `storage/session/<project>/<session>.json`. Those of its subagents are left out.
 */
export async function* storageSessions(
  harness: Harness,
  surroundings: Surroundings,
  onUnreadable: (found: Unreadable) => void,
): AsyncGenerator<StorageSession[]> {
  const [root] = ownFolder(surroundings, {
    variable: 'XDG_DATA_HOME',
    names: ['.local', 'share'],
    behind: ['opencode', 'storage'],
  })
  if (root === undefined) return
  const sessions = join(root, 'session')
  for (const project of await namesIn(sessions, onUnreadable)) {
    const folder = join(sessions, project)
    for (const name of await namesIn(folder, onUnreadable)) {
      const file = join(folder, name)
      const [, id] = /^(ses_\w+)\.json$/.exec(name) ?? []
      if (id === undefined) continue
      try {
        const { mtimeMs: at } = await lstat(file)
        const info = await objectIn(file)
        if (info && info['parentID'] === undefined) {
          yield [{ type: 'storage', harness, id, at, file, root }]
        }
      } catch (error) {
        onUnreadable({ file, reason: codeOf(error) })
      }
    }
  }
}

/** The object in a small file; `undefined` if it is damaged or not a plain file. */
export async function objectIn(file: string): Promise<Fields | undefined> {
  if (!(await lstat(file)).isFile()) return undefined
  try {
    return fieldsOf(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
