import { randomUUID } from 'node:crypto'
import { chmod, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Writes a file atomically: into a new file next to it, which is then renamed. A reader finds the old
 * text or the new one, never a mixture. A new file is its owner's alone from its first byte.
 * @throws the system's error, or what the text throws; then nothing has changed.
 */
export async function replaceFile(
  path: string,
  text: string | AsyncIterable<string>,
  mode = 0o600,
): Promise<void> {
  const temporary = join(dirname(path), `.throughline-${randomUUID()}.tmp`)
  try {
    const handle = await open(temporary, 'wx', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    if (mode !== 0o600) await chmod(temporary, mode)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
