import { chmod, open, rename, unlink, writeFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { ThroughlineError } from '../../log/throughline-error.ts'
import { cannotWrite, type Target } from './target.ts'
import { reasonOf } from './write-reason.ts'

/** A text, or the pieces of one that is too long to hold in memory. */
type Text = string | AsyncIterable<string>

/**
 * Writes a file atomically: into a new file next to it, which is then renamed. Anyone who reads
 * meanwhile finds the old text or the new one, never a mixture. It holds a session, so a new file
 * is its owner's alone from its first byte; an existing one keeps its mode.
 * @throws CommandError if it can't be written, or what the text throws; then nothing has changed.
 */
export async function writeTarget(target: Target, text: Text): Promise<void> {
  try {
    if (target.existing && !target.existing.regular) await writeFile(target.path, text)
    else await replaceFile(target, text)
  } catch (error) {
    if (ThroughlineError.isInstance(error)) throw error
    throw cannotWrite(target.name, reasonOf(error))
  }
}

async function replaceFile({ path, existing }: Target, text: Text): Promise<void> {
  const beside = join(dirname(path), `.throughline-${randomUUID()}.tmp`)
  try {
    const handle = await open(beside, 'wx', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    if (existing) await chmod(beside, existing.mode)
    await rename(beside, path)
  } catch (error) {
    await unlink(beside).catch(() => undefined)
    throw error
  }
}
