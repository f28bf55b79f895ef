import { stat } from 'node:fs/promises'

/** Whether there is something at a path that can be read as a session: no directory. */
export async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && !found.isDirectory()
}
