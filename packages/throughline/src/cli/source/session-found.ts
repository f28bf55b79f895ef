import { harnesses as allHarnesses, harnesses } from '../../formats/harnesses.ts'
import { previewSession, type SessionPreview } from '../../harnesses/preview/preview-session.ts'
import { CommandError } from '../errors.ts'
import { shownName } from '../store/shown-name.ts'
import { takeTurn } from '../terminal/turn.ts'
import { findFound } from './find-found.ts'
import type { Harness } from '../../formats/writing/harness.ts'
import type { FoundSession } from '../../harnesses/found-session.ts'
import type { Io } from '../io.ts'

/**
 * The harness session on this machine that a word names: `latest`, an id, or a unique beginning of
 * one, with or without the harness in front: `codex:latest`. `undefined` if it names none and could
 * mean something else.
 * @throws CommandError if several match, or if there is none and only such a session can be meant.
 */
export async function sessionFound(word: string, io: Io): Promise<FoundSession | undefined> {
  const wanted = wantedBy(word)
  if (!wanted) return undefined
  const { sessions } = await findFound(wanted.harnesses, io)
  const found =
    wanted.id === latest
      ? await newestSaid(sessions, io)
      : oneOf(await withId(sessions, wanted), word)
  if (found || !wanted.certain) return found
  const of = wanted.harnesses.length === 1 ? ` of ${wanted.harnesses[0]?.name}` : ''
  const what = wanted.id === latest ? '' : ` ${shownName(wanted.id)}`
  throw new CommandError(
    `there is no session${what}${of} on this machine. To list all sessions: throughline list`,
  )
}

const latest = 'latest'
// As in the store: shorter beginnings are typos.
const shortest = 4
const mostNamed = 5
// How many of the newest are checked for one in which something was said.
const mostSilent = 20

interface Wanted {
  harnesses: readonly Harness[]
  id: string
  /** Whether nothing else can be meant. */
  certain: boolean
}

function wantedBy(word: string): Wanted | undefined {
  const [before = '', ...behind] = word.split(':')
  if (behind.length > 0) {
    const harness = harnessNamed(before)
    const id = behind.join(':')
    return harness && id !== '' ? { harnesses: [harness], id, certain: true } : undefined
  }
  if (word === latest) return { harnesses: allHarnesses, id: word, certain: true }
  const isId = word.length >= shortest && !/[\\/]/.test(word)
  return isId ? { harnesses: allHarnesses, id: word, certain: false } : undefined
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

function isSaid({ title, tokens }: SessionPreview): boolean {
  return title !== undefined || (tokens !== undefined && tokens.count > 0)
}

/** If a file name only holds the beginning of an id, the file itself has the rest. */
async function withId(sessions: readonly FoundSession[], { id }: Wanted): Promise<FoundSession[]> {
  const exact = sessions.filter((session) => session.id === id)
  // The same session in several places: the newest copy is the current one.
  if (exact.length > 0) return newestOfEach(exact)
  if (id.length < shortest) return []
  const begun = sessions.filter((session) => session.id.startsWith(id))
  if (begun.length > 0) return newestOfEach(begun)
  const longer = sessions.filter(
    (session) => session.id.length >= shortest && id.startsWith(session.id),
  )
  const whole = await Promise.all(
    longer.map(async (session) => (await previewSession(session).catch(() => undefined))?.id),
  )
  return longer.filter((_, index) => whole[index]?.startsWith(id))
}

function newestOfEach(sessions: readonly FoundSession[]): FoundSession[] {
  const names = new Set<string>()
  return sessions.filter((session) => {
    const name = foundName(session)
    return !names.has(name) && names.add(name)
  })
}

function oneOf(found: readonly FoundSession[], word: string): FoundSession | undefined {
  if (found.length <= 1) return found[0]
  const names = found.slice(0, mostNamed).map(foundName)
  const more = found.length > mostNamed ? [`${found.length - mostNamed} more`] : []
  throw new CommandError(
    `${shownName(word)} names several sessions on this machine: ${[...names, ...more].join(', ')}. Use one of these, or more of its id.`,
  )
}

/** The name by which commands accept a harness's session: `claude:f4237e82-…`. */
export function foundName({ harness, id }: Pick<FoundSession, 'harness' | 'id'>): string {
  return shownName(`${harness.prefix}:${id}`)
}

/** A harness by the name of its format or by its short name: `claude-code`, `claude`. */
export function harnessNamed(word: string): Harness | undefined {
  return harnesses.find(({ name, prefix }) => name === word || prefix === word)
}

/** The names of harnesses as the user sees them. */
export function harnessWords(): string[] {
  return harnesses.map(({ name }) => name)
}
