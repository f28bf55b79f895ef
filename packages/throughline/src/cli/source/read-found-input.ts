import { readFound } from '../../harnesses/read-found.ts'
import { openSource } from './open-session.ts'
import { readSource, type SessionInput } from './read-input.ts'
import { foundName } from './session-found.ts'
import type { FoundSession } from '../../harnesses/found-session.ts'
import type { Io } from '../io.ts'

/**
 * Reads a session from its harness's storage.
 * @throws CommandError, UnreadableSessionError
 */
export async function readFoundInput(
  found: FoundSession,
  io: Io,
  options: { quiet?: boolean },
): Promise<SessionInput> {
  const name = foundName(found)
  const source =
    found.type === 'file'
      ? { ...(await openSource(found.file, io)), name }
      : { name, bytes: undefined, chunks: readFound(found) }
  return readSource(source, io, options)
}
