import { stat } from 'node:fs/promises'
import { codeOf, CommandError } from '../errors.ts'
import { sessionFound, sessionMeant } from './session-found.ts'
import { sessionFile, storeFiles, type KeptFile } from '../output/target.ts'
import { pathFrom, shownPath } from '../paths.ts'
import { hintFor, sessionNamed, isFile } from '../store/find-session.ts'
import { inStore, isThere, isUnusable, knownStoreFile } from '../store/open-store.ts'
import type { Configuration } from '../../config/load-config.ts'
import type { FoundSession } from '../../harnesses/found-session.ts'
import type { StoredSession } from '../../session/store.ts'
import type { Io } from '../io.ts'

/**
 * What the argument of a command names: a file (including `-`), a session in the store, or a
 * harness's session on this machine.
 */
export type ChosenSession =
  | { type: 'stored'; session: StoredSession; file: string }
  | SessionOutside

/** A session that isn't in the store. */
export type SessionOutside =
  | { type: 'file'; path: string }
  | { type: 'found'; session: FoundSession }

/**
 * An existing file is a file. Any other word is looked up in the store, if there is one, and then
 * where harnesses keep their sessions, also if the store cannot be read. A word that is found nowhere
 * counts as a file, unless it looks like the name of a session.
 * @throws CommandError
 */
export async function chooseSession(
  word: string,
  configuration: Configuration,
  io: Io,
): Promise<ChosenSession> {
  if (await namesFile(word, io)) return { type: 'file', path: word }
  const stored = await storedSession(word, configuration, io).catch((error: unknown) => {
    if (isUnusable(error)) return error
    throw error
  })
  if (stored && !(stored instanceof Error)) return stored
  const outside = await chooseOutside(word, io)
  if (outside && stored) {
    await io.stderr.write(`throughline: not looked for in the store: ${stored.message}\n`)
  }
  if (outside) return outside
  if (stored) throw stored
  const meant = await sessionMeant(word, io)
  if (meant !== undefined) {
    throw new CommandError(
      `${shownPath(word)}: there is no such file, and no session of that name. Did you mean ${meant}?`,
    )
  }
  const sessions = await storedSessions(configuration, io)
  if (!sessions) return { type: 'file', path: word }
  throw new CommandError(
    `${shownPath(word)}: there is no such file, and no session of that name in the store. ${hintFor(word, sessions)}`,
  )
}

/**
 * The same without looking in the store; `undefined` if it is found nowhere.
 * @throws CommandError
 */
export async function chooseOutside(word: string, io: Io): Promise<SessionOutside | undefined> {
  // A directory, or a path through a file, gets its error message when it is read.
  const isFileOrSo =
    (await namesFile(word, io)) || (await statCode(pathFrom(io.cwd, word))) !== 'ENOENT'
  if (isFileOrSo) return { type: 'file', path: word }
  const session = await sessionFound(word, io)
  return session && { type: 'found', session }
}

async function namesFile(word: string, { cwd }: Io): Promise<boolean> {
  return word === '-' || (await isFile(pathFrom(cwd, word)))
}

async function storedSession(
  word: string,
  configuration: Configuration,
  io: Io,
): Promise<ChosenSession | undefined> {
  const file = knownStoreFile(configuration)
  if (file === undefined || !(await isThere(file))) return undefined
  const session = await inStore(configuration, io, (store) => sessionNamed(store, word))
  return session && { type: 'stored', session, file }
}

/** `undefined` if there is no store. */
async function storedSessions(
  configuration: Configuration,
  io: Io,
): Promise<StoredSession[] | undefined> {
  const file = knownStoreFile(configuration)
  if (file === undefined || !(await isThere(file))) return undefined
  return inStore(configuration, io, (store) => store.sessions())
}

/** What a command that reads this session must not overwrite. */
export function keptFiles(chosen: ChosenSession, configuration: Configuration): KeptFile[] {
  const store = knownStoreFile(configuration)
  return [
    ...(chosen.type === 'file' && chosen.path !== '-' ? [sessionFile(chosen.path)] : []),
    ...(chosen.type === 'found' ? [sessionFile(chosen.session.file)] : []),
    ...(store === undefined ? [] : storeFiles(store)),
  ]
}

/** Why there is nothing to read; '' if there is something. */
async function statCode(path: string): Promise<string> {
  return stat(path).then(() => '', codeOf)
}
