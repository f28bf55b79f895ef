import { nearest } from '../../config/nearest.ts'
import { sanitizeLine } from '../../log/sanitize.ts'
import { CommandError } from '../errors.ts'
import { pathFrom } from '../paths.ts'
import { foundName, sessionFound } from '../source/session-found.ts'
import { shortestBeginning, shownName, someNames } from './session-name.ts'
import type { Store, StoredSession } from '../../session/store.ts'
import type { Io } from '../io.ts'
import { stat } from 'node:fs/promises'

/**
 * The session in a store that a word names: by its whole name, or by a unique beginning;
 * `undefined` if there is none.
 * @throws CommandError if several match.
 */
export async function sessionNamed(store: Store, word: string): Promise<StoredSession | undefined> {
  const sessions = await store.sessions()
  const exact = sessions.find(({ id }) => id === word)
  if (exact) return exact
  const shown = sessions.filter(({ id }) => sanitizeLine(id) === word)
  const found =
    shown.length > 0 || word.length < shortestBeginning
      ? shown
      : sessions.filter(({ id }) => id.startsWith(word) || sanitizeLine(id).startsWith(word))
  if (found.length <= 1) return found[0]
  const names = someNames(found.map(({ id }) => shownName(id)))
  throw new CommandError(
    `${shownName(word)} is the beginning of several sessions: ${names}. Use more of the name.`,
  )
}

/**
 * The same, if the session must exist.
 * @throws CommandError
 */
export async function findSession(store: Store, word: string, io: Io): Promise<StoredSession> {
  const found = await sessionNamed(store, word)
  if (found) return found
  const hint = (await isFile(pathFrom(io.cwd, word)))
    ? `It is a file; add it to the store first: throughline import ${shownName(word)}`
    : ((await foundHint(word, io)) ?? hintFor(word, await store.sessions()))
  throw new CommandError(`there is no session ${shownName(word)} in the store. ${hint}`)
}

/** A client's own session is not in the store until it is put there. */
async function foundHint(word: string, io: Io): Promise<string | undefined> {
  const found = await sessionFound(word, io).catch(() => undefined)
  if (!found) return undefined
  const name = foundName(found)
  return `It is a session of ${found.harness.name}; add it to the store first: throughline import ${name}`
}

/** What was probably meant, or how to list the sessions. */
export function hintFor(word: string, sessions: readonly StoredSession[]): string {
  if (sessions.length === 0) return 'It is empty; to add a session: throughline import FILE'
  const names = sessions.map(({ id }) => sanitizeLine(id))
  if (word.length < shortestBeginning && names.some((name) => name.startsWith(word))) {
    return `The beginning of a name needs at least ${shortestBeginning} characters. To list all names: throughline list --stored`
  }
  const beginnings = names.map((name) => name.slice(0, word.length))
  const meant = nearest(word, names) ?? nearest(word, beginnings)
  const name = meant && names.find((each) => each.startsWith(meant))
  return name ? `Did you mean ${shownName(name)}?` : 'To list all names: throughline list --stored'
}

/** Whether something at a path can be read as a session: anything but a directory. */
export async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && !found.isDirectory()
}
