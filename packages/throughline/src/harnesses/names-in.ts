import { readdir } from 'node:fs/promises'
import { codeOf } from './errors.ts'
import type { Unreadable } from './found-session.ts'

/** The names in a folder. A file in its place, or nothing at all, holds no sessions. */
export async function namesIn(
  folder: string,
  onUnreadable: (found: Unreadable) => void,
): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    const reason = codeOf(error)
    if (reason !== 'ENOENT' && reason !== 'ENOTDIR') onUnreadable({ file: folder, reason })
    return []
  }
}
