import { open, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolders } from '../../stores/sqlite/make-folders.ts'
import { codeOf } from '../code-of.ts'
import { InstallError, type InstallFailure } from './errors.ts'

/**
 * Writes a file that is not there yet, with the folders on the way to it: all of it or nothing.
 * What people work on stands in a session: it is theirs alone.
 * @throws InstallError
 */
export async function newFile(file: string, text: string, harness: string): Promise<void> {
  let made = false
  try {
    makeFolders(dirname(file))
    const handle = await open(file, 'wx', 0o600)
    made = true
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (cause) {
    if (made) await unlink(file).catch(() => undefined)
    const reason = codeOf(cause)
    const failure = failures.get(reason) ?? 'not-written'
    throw new InstallError({ harness, failure, file, reason, cause })
  }
}

const failures = new Map<string, InstallFailure>([
  ['EEXIST', 'exists'],
  ['ENAMETOOLONG', 'too-long'],
])
