import { foldersOf } from '../../config/folders.ts'
import { installSession } from '../../harnesses/install/install-session.ts'
import { surroundingsOf } from '../../harnesses/find-program.ts'
import { CommandError, InterruptedError } from '../errors.ts'
import { whileWriting } from '../terminal/status-line.ts'
import type { InstalledSession } from '../../harnesses/install/install-session.ts'
import type { Harness } from '../../formats/writing/harness.ts'
import type { WrittenFile } from '../../formats/writing/format-writer.ts'
import type { Io } from '../io.ts'
import type { GoesTo } from './goes-to.ts'

/**
 * Installs a written session in its harness while a line in the terminal says so.
 * @throws InstallError, InterruptedError
 */
export async function install(
  written: WrittenFile,
  { harness, goesTo, now }: { harness: Harness; goesTo: GoesTo; now: number },
  io: Io,
): Promise<InstalledSession> {
  const surroundings = surroundingsOf(io.env)
  const { path, data } = foldersOf(io.env)
  if (data === undefined) {
    throw new CommandError(
      'it is not known where to put the session, because no home directory is set.',
    )
  }
  const { directory, directoryFrom } = goesTo
  const folder = path.join(data, 'written')
  const options = { surroundings, directory, directoryFrom, folder, now, signal: io.signal }
  try {
    return await whileWriting(io, `installing for ${goesTo.destination.label}`, () =>
      installSession(harness, written, options),
    )
  } catch (error) {
    if (!io.signal.aborted || error instanceof InterruptedError) throw error
    throw new InterruptedError(
      `interrupted; ${goesTo.destination.label} may have a part of the session.`,
    )
  }
}

/** In tokens. */
export interface InstalledSizes {
  /** Of the messages alone. */
  before: number
  after: number
  /** Of the request before, with all that is not messages; `null` where no provider counted it. */
  counted: number | null
}

/** The object printed by `--install --json`. */
export function installJson(
  session: string,
  { how, file, resume }: InstalledSession,
  { destination, directory }: GoesTo,
  tokens: InstalledSizes,
) {
  const { name: harness } = destination
  return {
    version: 1,
    harness,
    session,
    how,
    file: file ?? null,
    directory,
    commands: resume,
    tokens,
  }
}
