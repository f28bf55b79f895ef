import { readdir } from 'node:fs/promises'
import { ownFolder } from '../../formats/writing/own-folder.ts'
import { codeOf } from '../code-of.ts'
import type { Surroundings } from '../../formats/writing/harness.ts'
import type { Unreadable } from '../found-session.ts'

/**
 * The databases of opencode: what `OPENCODE_DB` names, else those of all its release channels in
 * its own folder.
 */
export async function databaseFiles(
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
