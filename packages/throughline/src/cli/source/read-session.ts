import { readStored } from '../../formats/stored/read-stored.ts'
import { sanitizeLine } from '../../log/sanitize.ts'
import { readFoundInput } from './read-found-input.ts'
import { readInput, type SessionInput } from './read-input.ts'
import { whileShowing } from '../terminal/while-showing.ts'
import { chooseSession, type ChosenSession, type SessionOutside } from './choose-session.ts'
import { inStore } from '../store/open-store.ts'
import type { Configuration } from '../../config/load-config.ts'
import type { Io } from '../io.ts'

/**
 * Reads the session that the argument of a command names, from wherever it is.
 * @throws CommandError
 */
export async function readSessionNamed(
  word: string,
  configuration: Configuration,
  io: Io,
  options: { quiet?: boolean } = {},
): Promise<SessionInput> {
  return readChosen(await chooseSession(word, configuration, io), configuration, io, options)
}

export async function readChosen(
  chosen: ChosenSession,
  configuration: Configuration,
  io: Io,
  options: { quiet?: boolean } = {},
): Promise<SessionInput> {
  if (chosen.type !== 'stored') return readOutside(chosen, io, options)
  const { id } = chosen.session
  const name = sanitizeLine(id)
  const read = await whileShowing(io, `reading ${name}`, () =>
    inStore(configuration, io, (store) => readStored(store, id)),
  )
  return { ...read, name, stored: id, source: { kind: 'session', name: id } }
}

export function readOutside(
  chosen: SessionOutside,
  io: Io,
  options: { quiet?: boolean } = {},
): Promise<SessionInput> {
  if (chosen.type === 'file') return readInput(chosen.path, io, options)
  return readFoundInput(chosen.session, io, options)
}
