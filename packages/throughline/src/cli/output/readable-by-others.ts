import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { foldersOf, pathForReader } from '../../config/folders.ts'
import { shownPath } from '../paths.ts'
import type { Io } from '../io.ts'

const reported = new WeakMap<Io, Set<string>>()

/**
 * Says once on standard error that the mode of an existing file that holds sessions lets other users
 * read it. The mode is its owner's to change.
 */
export async function tellIfReadable(path: string, io: Io): Promise<void> {
  const file = resolve(io.cwd, path)
  const known = reported.get(io) ?? new Set()
  reported.set(io, known)
  if (known.has(file) || process.platform === 'win32') return
  known.add(file)
  const mode = await readableMode(file)
  if (mode === undefined) return
  const shown = shownPath(pathForReader(file, foldersOf(io.env), io.cwd))
  await io.stderr.write(
    `throughline: other users may read ${shown} (mode ${mode.toString(8)}). To keep it to yourself: chmod 600 ${shown}\n`,
  )
}

/** The mode of a plain file that is not its owner's alone. */
async function readableMode(file: string): Promise<number | undefined> {
  const found = await stat(file).catch(() => undefined)
  return found?.isFile() && (found.mode & 0o044) !== 0 ? found.mode & 0o777 : undefined
}
