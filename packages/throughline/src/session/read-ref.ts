import { chronological } from '../log/order.ts'
import { RefNotFoundError } from '../log/errors.ts'
import { parseRef, readRef } from '../log/ref.ts'
import type { Message, Part } from '../log/message.ts'
import type { Store } from './store.ts'

/**
 * Reads back from a store what a ref names, and nothing else.
 * @throws RefNotFoundError
 */
export async function readRefIn(
  store: Store,
  session: string,
  ref: string,
): Promise<Message | Part> {
  const seq = parseRef(ref)?.seq ?? 0
  const entries = await store.read(session, { seqs: [seq] })
  if (entries.length > 0) return readRef(chronological(entries), ref)
  const [newest] = await store.read(session, { newest: 1 })
  throw new RefNotFoundError({ ref, newest: newest?.seq ?? 0 })
}
