import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../code-of.ts'
import type { Dirent } from 'node:fs'
import type { Harness } from '../../formats/writing/harness.ts'
import type { FileSession, Unreadable } from '../found-session.ts'

// As deep as any harness keeps its sessions: Codex has a folder for the year, month and day.
const deepest = 4

/**
 * The sessions that a harness keeps in files below a folder. What links lead to is passed over,
 * and so is everything that is no plain file: a pipe would never end.
 */
export async function* sessionFiles(
  harness: Harness,
  root: string,
  onUnreadable: (found: Unreadable) => void,
): AsyncGenerator<FileSession[]> {
  const folders: { path: string; names: readonly string[] }[] = [{ path: root, names: [] }]
  for (let folder = folders.pop(); folder; folder = folders.pop()) {
    const { path, names } = folder
    const entries = await entriesOf(path, onUnreadable)
    if (names.length < deepest) {
      for (const { name } of entries.filter((entry) => entry.isDirectory())) {
        folders.push({ path: join(path, name), names: [...names, name] })
      }
    }
    const looks = entries.flatMap((entry) => {
      const id = entry.isFile() ? harness.sessionIn([...names, entry.name].join('/')) : undefined
      return id === undefined
        ? []
        : [fileSession(harness, id, join(path, entry.name), onUnreadable)]
    })
    yield (await Promise.all(looks)).flat()
  }
}

async function fileSession(
  harness: Harness,
  id: string,
  file: string,
  onUnreadable: (found: Unreadable) => void,
): Promise<FileSession[]> {
  try {
    const { mtimeMs: at, size: bytes } = await lstat(file)
    return [{ type: 'file', harness, id, at, file, bytes }]
  } catch (error) {
    onUnreadable({ file, reason: codeOf(error) })
    return []
  }
}

async function entriesOf(
  path: string,
  onUnreadable: (found: Unreadable) => void,
): Promise<Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true })
  } catch (error) {
    // A harness that was never used here has no folder.
    if (codeOf(error) !== 'ENOENT') onUnreadable({ file: path, reason: codeOf(error) })
    return []
  }
}
