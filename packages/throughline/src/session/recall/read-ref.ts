import { chronological } from '../../log/order.ts'
import { RefNotFoundError } from '../../log/ref.ts'
import { parseRef, readRef } from '../../log/ref.ts'
import type { EntryOf } from '../../log/entry.ts'
import type { Message, Part } from '../../log/message.ts'
import type { Store } from '../store.ts'

/**
 * Reads what a ref names from a store, and nothing else.
 * @throws RefNotFoundError
 */
export async function readRefIn(
  store: Store,
  session: string,
  ref: string,
): Promise<Message | Part> {
  return readRef(chronological([await readEntryOf(store, session, ref)]), ref)
}

/**
 * The entry of the message that a ref names, wholly or in part.
 * @throws RefNotFoundError if there is none; the part isn't checked.
 */
export async function readEntryOf(
  store: Store,
  session: string,
  ref: string,
): Promise<EntryOf<'message'>> {
  const parsed = parseRef(ref)
  const [entry] = parsed ? await store.read(session, { seqs: [parsed.seq] }) : []
  if (entry?.kind === 'message') return entry
  const [newest] = await store.read(session, { newest: 1 })
  throw new RefNotFoundError({ ref, newest: newest?.seq ?? 0 })
}
