import {
  anySession,
  oneSession,
  type RecallSource,
  type StoredIn,
} from '../../../integrations/mcp/recall-source.ts'
import { argument, type ParsedArguments } from '../../command.ts'
import { configurationFor } from '../../configuration.ts'
import { codeOf, CommandError } from '../../errors.ts'
import { foundName } from '../../source/session-found.ts'
import { usage } from '../../parse-arguments.ts'
import { shownPath, pathFrom } from '../../paths.ts'
import { chooseSession, type SessionOutside } from '../../source/choose-session.ts'
import { isThere, knownStoreFile } from '../../store/open-store.ts'
import { shownName } from '../../store/shown-name.ts'
import { findSourceFor } from '../../source/find-source.ts'
import type { FindSource } from '../../../session/recall/follow-ref.ts'
import type { Configuration } from '../../../config/load-config.ts'
import type { Io } from '../../io.ts'
import { stat } from 'node:fs/promises'
import { memoryStore } from '../../../stores/memory.ts'
import { explainError } from '../../explain-error.ts'
import { cannotRead } from '../../source/open-session.ts'
import { readOutside } from '../../source/read-session.ts'

/** The sessions that a server answers for, and their name for the user. */
export interface ChosenSource {
  source: RecallSource
  name: string
  close: () => void
}

/**
 * The requested session, resolved as in every other command; without one, any session in the store.
 * @throws UsageError, CommandError
 */
export async function chooseSource(parsed: ParsedArguments, io: Io): Promise<ChosenSource> {
  const word = argument(parsed, 'session')
  if (word === '-') {
    throw usage('mcp', 'the client uses standard input: give the path of a session file')
  }
  const configuration = await configurationFor('mcp', parsed, io)
  if (word === '') return wholeStore(configuration)
  const chosen = await chooseSession(word, configuration, io)
  if (chosen.type !== 'stored') {
    const source = await changingSession(chosen, io, findSourceFor(configuration, io))
    return { source, name: nameOf(chosen), close: () => {} }
  }
  const { session, file } = chosen
  const { store, close } = await openStore(file)
  const name = `session ${shownName(session.id)} in ${shownPath(file)}`
  return { source: oneSession(store, session.id), name, close }
}

async function wholeStore(configuration: Configuration): Promise<ChosenSource> {
  const file = knownStoreFile(configuration)
  if (file === undefined || !(await isThere(file))) throw noStore(file)
  const { store, close } = await openStore(file)
  return { source: anySession(store), name: shownPath(file), close }
}

async function openStore(file: string) {
  const { sqliteStore } = await import('../../../stores/sqlite/index.ts')
  const store = sqliteStore({ file })
  return { store, close: store.close }
}

function nameOf(chosen: SessionOutside): string {
  return chosen.type === 'file' ? shownPath(chosen.path) : foundName(chosen.session)
}

function noStore(file: string | undefined): CommandError {
  const at = file === undefined ? 'none is configured' : `none at ${shownPath(file)}`
  return new CommandError(
    `there is no session store: ${at}. Name a session by its file or by an id from throughline list, or use --store FILE.`,
  )
}

const session = 'session'

/**
 * A session that its client keeps writing to. It is read again when its file has changed. If that
 * fails, the earlier content stays in use, and standard error says why.
 * @throws CommandError if the first read fails.
 */
export async function changingSession(
  chosen: SessionOutside,
  io: Io,
  find?: FindSource,
): Promise<RecallSource> {
  let stamp = await stampOf(chosen, io)
  let found = { ...(await readInto(chosen, io)), ...(find && { find }) }
  return {
    choice: 'one',
    async find() {
      try {
        const now = await stampOf(chosen, io)
        if (now === stamp) return found
        found = { ...(await readInto(chosen, io)), ...(find && { find }) }
        stamp = now
      } catch (error) {
        await explainError(error, io)
      }
      return found
    },
  }
}

async function readInto(chosen: SessionOutside, io: Io): Promise<StoredIn> {
  const { log } = await readOutside(chosen, io, { quiet: true })
  const store = memoryStore()
  await store.append(session, log)
  return { store, session }
}

/** Changes after every modification. */
async function stampOf(chosen: SessionOutside, { cwd }: Io): Promise<string> {
  const path = chosen.type === 'file' ? chosen.path : chosen.session.file
  try {
    return [await stampOfFile(pathFrom(cwd, path)), await stampOfLog(chosen)].join()
  } catch (cause) {
    throw new CommandError(cannotRead(path, cause), { cause })
  }
}

async function stampOfFile(file: string): Promise<string> {
  const { ino, size, mtimeNs } = await stat(file, { bigint: true })
  return [ino, size, mtimeNs].join()
}

/** New data of a database is first in a file next to it. */
async function stampOfLog(chosen: SessionOutside): Promise<string> {
  if (chosen.type === 'file' || chosen.session.type !== 'database') return ''
  return stampOfFile(`${chosen.session.file}-wal`).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return ''
    throw error
  })
}
