import { existsSync, statSync } from 'node:fs'
import { anySession, oneSession, type RecallSource } from '../../integrations/mcp/recall-source.ts'
import { newestOf } from '../../session/newest.ts'
import { argument, type ParsedArguments } from '../command.ts'
import { configurationFor } from '../config/options.ts'
import { CommandError } from '../errors.ts'
import { usage } from '../parse-arguments.ts'
import { pathFrom } from '../path-from.ts'
import { shownPath } from '../shown-path.ts'
import { sessionFile } from './session-file.ts'
import type { Io } from '../io.ts'

/** What a server answers for, and its name for the user. */
export interface ChosenSource {
  source: RecallSource
  name: string
  close: () => void
}

/**
 * The session that was asked for: a file of a client, or one in the store; without one, any in
 * the store. With `--store` it is never taken for a file.
 * @throws UsageError, CommandError, SessionNotFoundError
 */
export async function chooseSource(parsed: ParsedArguments, io: Io): Promise<ChosenSource> {
  const session = argument(parsed, 'session')
  if (session === '-') {
    throw usage('mcp', 'the client speaks on standard input: give the path of a session file')
  }
  if (session !== '' && !parsed.values.has('store') && isFile(pathFrom(io.cwd, session))) {
    return { source: await sessionFile(session, io), name: shownPath(session), close: () => {} }
  }
  const { settings } = await configurationFor('mcp', parsed, io)
  const file = settings.whole.store?.value
  if (file === undefined || !existsSync(file)) throw noStore(session, file)
  const { sqliteStore } = await import('../../stores/sqlite/index.ts')
  const store = sqliteStore({ file })
  const { close } = store
  if (session === '') return { source: anySession(store), name: shownPath(file), close }
  await newestOf(store, session)
  const name = `session ${shownPath(session)} in ${shownPath(file)}`
  return { source: oneSession(store, session), name, close }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

function noStore(session: string, file: string | undefined): CommandError {
  const at = file === undefined ? 'none is configured' : `none at ${shownPath(file)}`
  const named = session === '' ? '' : `${shownPath(session)} is no file, and `
  return new CommandError(
    `${named}there is no session store: ${at}. Give the path of a session file, or --store FILE.`,
  )
}
