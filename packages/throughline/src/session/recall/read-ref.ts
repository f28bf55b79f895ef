import { chronological } from '../../log/order.ts'
import { RefNotFoundError } from '../../log/ref.ts'
import { parseRef, readRef } from '../../log/ref.ts'
import type { EntryOf } from '../../log/entry.ts'
import type { Message, Part } from '../../log/message.ts'
import { followRef, type Place } from './follow-ref.ts'
import type { Store } from '../store.ts'

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
