import { readFound } from '../../harnesses/read-found.ts'
import { openSource } from './open-session.ts'
import { readSource, type SessionInput } from './read-input.ts'
import { foundName } from './session-found.ts'
import type { FoundSession } from '../../harnesses/found-session.ts'
import type { Io } from '../io.ts'

/**
 * Reads a session from where its harness keeps it.
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
  const read = await readSource(source, io, options)
  const id = `${found.harness.prefix}:${read.facts.id ?? found.id}`
  return { ...read, source: { kind: 'session', name: id } }
}
