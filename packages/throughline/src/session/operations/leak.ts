import {
  redactCopies,
  redactRef,
  redactText,
  type Redaction,
} from '../../log/redaction/redaction.ts'
import { chronological } from '../../log/order.ts'
import { newestOf } from './newest.ts'
import { redactedSeqs, rewritingOf } from './redaction.ts'
import type { Ref, Seq } from '../../log/entry.ts'
import type { Store, StoredSession } from '../store.ts'

/** Something that got into a session of a store, and perhaps into others, and must go. */
export interface Leak {
  /** The session in which it was found. */
  session: string
  /** What takes it out of that one. */
  here: Redaction
  /** What takes it out of any other: forks hold copies, and agents read the same files. */
  elsewhere: Redaction
}

/** A session, and which of its entries hold a leak. */
export interface Holder {
  session: string
  seqs: Seq[]
}

/**
 * A text, or what a ref names, as something to look for and to take out.
 * @throws SessionNotFoundError, RefNotFoundError, RedactionError
 */
export async function leakOf(
  store: Store,
  session: string,
  what: { text: string } | { ref: Ref },
): Promise<Leak> {
  const { seq: upTo } = await newestOf(store, session)
  if ('text' in what) {
    const redaction = redactText(what.text)
    return { session, here: redaction, elsewhere: redaction }
  }
  const log = chronological(await store.read(session, { upTo }))
  return { session, here: redactRef(log, what.ref), elsewhere: redactCopies(log, what.ref) }
}

// So many entries are in memory at once.
const batch = 500

/** Which entries of a session hold the leak; nothing is changed. */
export async function holderOf(
  store: Store,
  leak: Leak,
  { id, newest }: Pick<StoredSession, 'id' | 'newest'>,
): Promise<Holder> {
  const redaction = redactionFor(leak, id)
  const seqs: Seq[] = []
  for (let after = 0; after < newest; after += batch) {
    const entries = await store.read(id, { after, upTo: Math.min(after + batch, newest) })
    for (const entry of entries) if (redaction(entry)) seqs.push(entry.seq)
  }
  return { session: id, seqs }
}

/**
 * Takes the leak out of a session, for good: nothing of it is left in the store. Says which entries
 * were changed. `at` is in milliseconds since 1970.
 */
export async function redactLeak(
  store: Store,
  leak: Leak,
  session: string,
  at: number,
): Promise<Holder> {
  const note = await store.redact(session, rewritingOf(redactionFor(leak, session), at))
  return { session, seqs: note ? redactedSeqs(note) : [] }
}

function redactionFor({ session, here, elsewhere }: Leak, other: string): Redaction {
  return other === session ? here : elsewhere
}
