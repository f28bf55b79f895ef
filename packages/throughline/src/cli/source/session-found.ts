import { sources } from '../../formats/harnesses.ts'
import { previewSession, type SessionPreview } from '../../harnesses/preview/preview-session.ts'
import { nearest } from '../../config/nearest.ts'
import { CommandError } from '../errors.ts'
import { shortestBeginning, shownName, someNames } from '../store/session-name.ts'
import { sanitizeLine } from '../../log/sanitize.ts'
import { takeTurn } from '../terminal/turn.ts'
import { findFound } from './find-found.ts'
import type { Harness } from '../../formats/writing/harness.ts'
import type { FoundSession } from '../../harnesses/found-session.ts'
import type { Io } from '../io.ts'
import type { RequestFrame } from '../../compaction/measure/measure.ts'
import type { SessionFacts } from '../../formats/format.ts'

/**
 * The harness session on this machine that a word names: `latest`, an id, or a unique beginning of
 * one, with or without the harness in front: `codex:latest`. `undefined` if it names none and could
 * mean something else.
 * @throws CommandError if several match, or if there is none and only such a session can be meant.
 */
export async function sessionFound(word: string, io: Io): Promise<FoundSession | undefined> {
  const wanted = wantedBy(word)
  if (!wanted) return nobodysSession(word)
  const { sessions } = await findFound(wanted.harnesses, io)
  const found =
    wanted.id === latest
      ? await newestSaid(sessions, io)
      : oneOf(await withId(sessions, wanted), word)
  if (found || !wanted.certain) return found
  const of = wanted.harnesses.length === 1 ? ` of ${wanted.harnesses[0]?.name}` : ''
  const what = wanted.id === latest ? '' : ` ${shownName(wanted.id)}`
  const session = wanted.id === latest ? undefined : nearestSession(wanted.id, sessions)
  const next =
    wanted.id.length < shortestBeginning && wanted.id !== latest
      ? `The beginning of an id needs at least ${shortestBeginning} characters.`
      : session
        ? `Did you mean ${foundName(session)}?`
        : 'To list all sessions: throughline list'
  throw new CommandError(`there is no session${what}${of} on this machine. ${next}`)
}

/** A word with a client's name before it that is misspelt can mean nothing else. */
function nobodysSession(word: string): undefined {
  const [before = '', ...after] = word.split(':')
  if (after.length === 0 || after.join('') === '' || /[\\/]/.test(word)) return undefined
  const meant = nearest(
    before,
    sources.flatMap(({ name, prefix }) => [prefix, name]),
  )
  if (meant === undefined || harnessNamed(before)) return undefined
  throw new CommandError(
    `there is no client ${shownName(before)}. Did you mean ${shownName(`${meant}:${after.join(':')}`)}?`,
  )
}

/**
 * The name of the session that a word may have been meant for: another whose id begins much like it.
 * `undefined` if there is none.
 */
export async function sessionMeant(word: string, io: Io): Promise<string | undefined> {
  if (word.length < shortestBeginning || word.length > longestMeant || /[\\/]/.test(word))
    return undefined
  const { sessions } = await findFound(sources, io)
  if (word.length >= 3 && latest.startsWith(word.slice(0, 3))) return latest
  const session = nearestSession(word, sessions)
  return session && foundName(session)
}

/** The session whose id begins most like a word, if any is close enough. */
function nearestSession(word: string, sessions: readonly FoundSession[]): FoundSession | undefined {
  const meant = nearest(
    word,
    sessions.map(({ id }) => id.slice(0, word.length)),
  )
  return meant === undefined ? undefined : sessions.find(({ id }) => id.startsWith(meant))
}

// A longer word is a path or a text.
const longestMeant = 40

const latest = 'latest'
// How many of the newest are checked for one in which something was said.
const mostSilent = 20

interface Wanted {
  harnesses: readonly Harness[]
  id: string
  /** Whether nothing else can be meant. */
  certain: boolean
}

function wantedBy(word: string): Wanted | undefined {
  const [before = '', ...after] = word.split(':')
  if (after.length > 0) {
    const harness = harnessNamed(before)
    const id = after.join(':')
    return harness && id !== '' ? { harnesses: [harness], id, certain: true } : undefined
  }
  if (word === latest) return { harnesses: sources, id: word, certain: true }
  const isId = word.length >= shortestBeginning && !/[\\/]/.test(word)
  return isId ? { harnesses: sources, id: word, certain: false } : undefined
}

async function newestSaid(
  sessions: readonly FoundSession[],
  io: Io,
): Promise<FoundSession | undefined> {
  for (const session of sessions.slice(0, mostSilent)) {
    await takeTurn(io)
    const preview = await previewSession(session).catch(() => undefined)
    if (preview && isSaid(preview)) return session
  }
  return undefined
}

export function isSaid({ title, tokens }: SessionPreview): boolean {
  return title !== undefined || (tokens !== undefined && tokens.count > 0)
}

/** A session that a word may name, by its whole id. */
interface Named {
  session: FoundSession
  id: string
}

/** The newest first. */
async function withId(sessions: readonly FoundSession[], { id }: Wanted): Promise<Named[]> {
  const exact = sessions.filter((session) => session.id === id)
  if (exact.length > 0) return oneOfEach(exact, id)
  if (id.length < shortestBeginning) return []
  const begun = sessions.filter((session) => session.id.startsWith(id))
  if (begun.length > 0) return oneOfEach(begun, id)
  const longer = sessions.filter(
    (session) => session.id.length >= shortestBeginning && id.startsWith(session.id),
  )
  return oneOfEach(longer, id)
}

/**
 * The same session may be in several places: the newest one in which something was said is
 * meant. If a file's name holds only the beginning of an id, the file has the rest.
 */
async function oneOfEach(sessions: readonly FoundSession[], id: string): Promise<Named[]> {
  const alike = new Map<string, number>()
  for (const session of sessions) {
    const name = foundName(session)
    alike.set(name, (alike.get(name) ?? 0) + 1)
  }
  const found = new Map<string, Named & { said: boolean }>()
  for (const session of sessions) {
    const isWhole = session.id.startsWith(id) && alike.get(foundName(session)) === 1
    const preview = isWhole ? undefined : await previewSession(session).catch(() => undefined)
    const whole = preview?.id ?? session.id
    if (!whole.startsWith(id)) continue
    const name = `${session.harness.name}:${whole}`
    const said = preview?.title !== undefined
    const other = found.get(name)
    if (!other || (said && !other.said)) found.set(name, { session, id: whole, said })
  }
  return [...found.values()].sort((one, other) => other.session.at - one.session.at)
}

function oneOf(found: readonly Named[], word: string): FoundSession | undefined {
  if (found.length <= 1) return found[0]?.session
  const names = someNames(found.map(wholeName))
  throw new CommandError(
    `${shownName(word)} names several sessions on this machine: ${names}. Use one of these, or more of its id.`,
  )
}

/** With its file if that has less of the id than it takes to find it. */
function wholeName({ session, id }: Named): string {
  const name = foundName({ harness: session.harness, id })
  return session.id === id ? name : `${name} (${sanitizeLine(session.file)})`
}

/** How a session of a harness is named to a command: `claude:f4237e82-…`. */
export function foundName({ harness, id }: Pick<FoundSession, 'harness' | 'id'>): string {
  return shownName(`${harness.prefix}:${id}`)
}

/** A harness by the name of its format or by its short name: `claude-code`, `claude`. */
export function harnessNamed(word: string): Harness | undefined {
  return sources.find(({ name, prefix }) => name === word || prefix === word)
}

/** The names of harnesses as the user sees them. */
export function harnessWords(): string[] {
  return sources.map(({ name }) => name)
}

/** What the session recorded besides its messages: about its requests, and about where it works. */
export function frameOf({
  system,
  model,
  directory,
}: SessionFacts): RequestFrame & { directories?: string[] } {
  return {
    ...(system !== undefined && { system }),
    ...(model !== undefined && { model }),
    ...(directory !== undefined && { directories: [directory] }),
  }
}

/** Where a session is, and a stamp that changes whenever it does. */
interface FoundState {
  place: string
  stamp: string
}

/** The state of a session as the search index remembers it. */
export function stateOf(found: FoundSession): FoundState {
  const { type, file, id, at } = found
  return {
    place: type === 'file' ? `file ${file}` : `${type} ${file} ${id}`,
    stamp: `${type === 'file' ? found.bytes : 0} ${at}`,
  }
}
