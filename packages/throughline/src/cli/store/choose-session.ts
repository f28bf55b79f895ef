import { stat } from 'node:fs/promises'
import { CommandError } from '../errors.ts'
import { codeOf } from '../input/open-session.ts'
import { sessionFile, storeFiles, type KeptFile } from '../output/target.ts'
import { pathFrom } from '../path-from.ts'
import { shownPath } from '../shown-path.ts'
import { hintFor, sessionNamed } from './find-session.ts'
import { isFile } from './is-file.ts'
import { inStore, isThere, knownStoreFile } from './open-store.ts'
import type { Configuration } from '../../config/load-config.ts'
import type { StoredSession } from '../../session/store.ts'
import type { Io } from '../io.ts'

/** What the argument of a command names: a file, which `-` is too, or a session of the store. */
export type ChosenSession =
  | { type: 'file'; path: string }
  | { type: 'stored'; session: StoredSession; file: string }

/**
 * Tells a file from a stored session: an existing file is a file, any other word is looked for in
 * the store, if there is one. What is in neither is taken for a file, unless nobody could mean one.
 * @throws CommandError
 */
export async function chooseSession(
  word: string,
  configuration: Configuration,
  io: Io,
): Promise<ChosenSession> {
  const file = knownStoreFile(configuration)
  const asFile = { type: 'file', path: word } as const
  if (word === '-' || file === undefined || (await isFile(pathFrom(io.cwd, word)))) return asFile
  if (!(await isThere(file))) return asFile
  return inStore(configuration, io, async (store) => {
    const session = await sessionNamed(store, word)
    if (session) return { type: 'stored', session, file }
    if ((await statCode(pathFrom(io.cwd, word))) !== 'ENOENT') return asFile
    const hint = hintFor(word, await store.sessions())
    throw new CommandError(
      `${shownPath(word)}: there is no such file, and no session of that name in the store. ${hint}`,
    )
  })
}

/** What a command that reads this session must not write over. */
export function keptFiles(chosen: ChosenSession, configuration: Configuration): KeptFile[] {
  const store = knownStoreFile(configuration)
  return [
    ...(chosen.type === 'file' && chosen.path !== '-' ? [sessionFile(chosen.path)] : []),
    ...(store === undefined ? [] : storeFiles(store)),
  ]
}

/** Why there is nothing to be read; '' if there is something. */
async function statCode(path: string): Promise<string> {
  return stat(path).then(() => '', codeOf)
}
