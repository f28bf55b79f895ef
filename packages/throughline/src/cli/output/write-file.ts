import { writeFile } from 'node:fs/promises'
import { replaceFile } from '../../config/files/replace-file.ts'
import { ThroughlineError } from '../../log/throughline-error.ts'
import { cannotWrite, type Target } from './target.ts'
import { reasonOf } from './write-reason.ts'

/**
 * Writes all of a text, or the pieces of one that is too long to hold in memory, or nothing. A new
 * file holds a session, so it is its owner's alone; an existing one keeps its mode.
 * @throws CommandError if it can't be written, or what the text throws.
 */
export async function writeTarget(
  { name, path, existing }: Target,
  text: string | AsyncIterable<string>,
): Promise<void> {
  try {
    if (existing && !existing.regular) await writeFile(path, text)
    else await replaceFile(path, text, existing?.mode)
  } catch (error) {
    if (ThroughlineError.isInstance(error)) throw error
    throw cannotWrite(name, reasonOf(error))
  }
}
