import { parseForeignRef, sourceAlias, sourcesOf } from '../../log/source.ts'
import { RefSourceError } from './errors.ts'
import { chronological } from '../../log/order.ts'
import { RefNotFoundError, parseRef, readRef } from '../../log/ref.ts'
import { type Source, type Sources, type EntryOf } from '../../log/entry.ts'
import type { Store } from '../store.ts'
import type { Message, Part } from '../../log/message.ts'

export interface Place {
  store: Store
  session: string
}

/** Finds the session that a source names; `undefined` if it is not there. */
export type FindSource = (source: Source) => Promise<Place | undefined>

/** Where a ref is read back. */
export interface FollowedRef extends Place {
  ref: string
  /** The prefix of the refs of that session; none for the session that was asked. */
  alias?: string
}

// A session that begins with another's summary, which begins with another's, …
const mostHops = 16

/**
 * Finds the session that a ref belongs to: the one that was asked, or one that it began with, or
 * that one with. Only what entries name is followed, and only to where `find` leads: a text never
 * decides what is read.
 * @throws RefSourceError if nothing names the source, or it is not there.
 */
export async function followRef(
  place: Place,
  text: string,
  find: FindSource = inStore(place.store),
): Promise<FollowedRef> {
  const foreign = parseForeignRef(text)
  if (!foreign) return { ...place, ref: text }
  const { alias, ref } = foreign
  if (alias === sourceAlias({ kind: 'session', name: place.session })) return { ...place, ref }
  const missing: Source[] = []
  const seen = new Set<string>()
  let places = [place]
  for (let hop = 0; hop < mostHops && places.length > 0; hop++) {
    const named: Source[] = []
    for (const each of places) {
      const sources = await sourcesFor(each)
      const source = Object.hasOwn(sources, alias) ? sources[alias] : undefined
      if (source) return { ...(await foundOf(source, { text, find })), ref, alias }
      named.push(...Object.values(sources))
    }
    places = []
    for (const source of named) {
      const key = `${source.kind}:${source.name}`
      if (seen.has(key)) continue
      seen.add(key)
      const next = await find(source)
      if (next) places.push(next)
      else missing.push(source)
    }
  }
  throw new RefSourceError({ ref: text, missing })
}

async function foundOf(
  source: Source,
  { text, find }: { text: string; find: FindSource },
): Promise<Place> {
  const found = await find(source)
  if (found) return found
  throw new RefSourceError({ ref: text, source, missing: [source] })
}

/** What came with a session says so in its checkpoints, and in its first message. */
async function sourcesFor({ store, session }: Place): Promise<Sources> {
  const checkpoints = await store.read(session, { kinds: ['checkpoint'] })
  const first = await store.read(session, { kinds: ['message'], upTo: nearBeginning })
  return sourcesOf([...first, ...checkpoints])
}

const nearBeginning = 4

/**
 * The session of a store that a source names, by its id there: the same, or without the harness
 * before it. A file is in no store.
 */
export function inStore(store: Store): FindSource {
  return async ({ kind, name }) => {
    if (kind !== 'session') return undefined
    for (const session of [name, name.slice(name.indexOf(':') + 1)]) {
      if ((await store.read(session, { newest: 1 })).length > 0) return { store, session }
    }
    return undefined
  }
}

/** A ref as the session that was asked can follow it again. */
export function seenFrom({ alias }: Pick<FollowedRef, 'alias'>, ref: string): string {
  return alias === undefined ? ref : `${alias}:${ref}`
}

/**
 * Reads back from a store what a ref names, and nothing else.
 * @throws RefNotFoundError, RefSourceError
 */
export async function readRefIn(
  store: Store,
  session: string,
  ref: string,
): Promise<Message | Part> {
  const followed = await followRef({ store, session }, ref)
  const entry = await readNamed(followed)
  if (entry.kind === 'message') return readRef(chronological([entry]), followed.ref)
  throw await notFound(followed)
}

/**
 * The entry that a ref names, or a part of: a message, or the summary of a checkpoint.
 * @throws RefNotFoundError if there is none; the part is not looked for.
 */
export async function readNamed(
  place: Place & { ref: string },
): Promise<EntryOf<'message'> | EntryOf<'checkpoint'>> {
  const parsed = parseRef(place.ref)
  const [entry] = parsed ? await place.store.read(place.session, { seqs: [parsed.seq] }) : []
  if (entry?.kind === 'message' || entry?.kind === 'checkpoint') return entry
  throw await notFound(place)
}

async function notFound({ store, session, ref }: Place & { ref: string }): Promise<Error> {
  const [newest] = await store.read(session, { newest: 1 })
  return new RefNotFoundError({ ref, newest: newest?.seq ?? 0 })
}
