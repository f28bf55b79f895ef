import { readStored } from '../../formats/stored/read-stored.ts'
import { sanitizeLine } from '../../log/sanitize.ts'
import { readInput, readSource } from './read-input.ts'
import { whileShowing } from '../terminal/status-line.ts'
import { chooseSession } from './choose-session.ts'
import { inStore } from '../store/open-store.ts'
import { readFound } from '../../harnesses/read-found.ts'
import { recordedLog } from '../../clients/recorded-log.ts'
import { openSource } from './open-session.ts'
import { foundName } from './session-found.ts'
import { counted, withThousands } from '../terminal/numbers.ts'
import type { SessionInput } from './read-input.ts'
import type { ChosenSession, SessionOutside } from './choose-session.ts'
import type { Configuration } from '../../config/load-config.ts'
import type { Io } from '../io.ts'
import type { FoundSession } from '../../harnesses/found-session.ts'
import type { SessionRead } from '../../formats/reading/read-session.ts'

// More bad lines than this are one problem, not many.
const shown = 3

/** Names the lines that are not one whole record; `undefined` if there are none. */
export function skippedText({ skipped, skippedCount }: SessionRead): string | undefined {
  if (skippedCount === 0) return undefined
  const lines = skipped
    .slice(0, shown)
    .map(({ line, reason }) => `line ${line} (${sanitizeLine(reason)})`)
  const more = skippedCount - lines.length
  const rest = more > 0 ? [`${withThousands(more)} more`] : []
  return `${counted(skippedCount, 'damaged line')}: ${[...lines, ...rest].join(', ')}`
}

/**
 * Reads the session that a command's argument names, wherever it is.
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
  const read = await readSource(source, io, options)
  const id = `${found.harness.prefix}:${read.facts.id ?? found.id}`
  const log = await recordedLog({ of: found.harness.name, id: found.id, log: read.log }, io.env)
  return { ...read, log, source: { kind: 'session', name: id } }
}
