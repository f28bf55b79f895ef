import {
  redactCopies,
  redactRef,
  redactText,
  type Redaction,
} from '../../log/redaction/redaction.ts'
import { chronological } from '../../log/order.ts'
import { newestOf } from './undo.ts'
import { timeSlices } from '../loop/pause.ts'
import { redactedSeqs, rewritingAfter } from './redaction.ts'
import { Inspection } from '../../log/redaction/inspection.ts'
import type { Ref, Seq } from '../../log/entry.ts'
import type { Store, StoredSession } from '../store.ts'

/** Something that got into a stored session, and perhaps into others, and must be removed. */
export interface Leak {
  /** The session in which it was found. */
  session: string
  here: Redaction
  /** The redaction for all other sessions: forks hold copies, and agents read the same files. */
  elsewhere: Redaction
}

/** A session, and which of its entries hold a leak. */
export interface Holder {
  session: string
  seqs: Seq[]
}

/** The same, before anything is done about it. */
export interface Found extends Holder {
  inspection: Inspection
}

/**
 * Turns a text, or what a ref names, into something to search for and remove.
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

// This many entries are in memory at once.
const batch = 500

/** Finds the entries of a session that hold the leak; changes nothing. */
export async function holderOf(
  store: Store,
  { session, here, elsewhere }: Leak,
  { id, newest }: Pick<StoredSession, 'id' | 'newest'>,
): Promise<Found> {
  const inspection = new Inspection(session === id ? here : elsewhere)
  const turn = timeSlices()
  for (let after = 0; after < newest; after += batch) {
    for (const entry of await store.read(id, { after, upTo: Math.min(after + batch, newest) })) {
      inspection.look(entry)
      await turn()
    }
  }
  return { session: id, seqs: inspection.seqs, inspection }
}

/**
 * Removes the leak from a session for good: nothing of it stays in the store. Returns the entries
 * that changed. `at` is in milliseconds since 1970.
 * @throws the signal's reason before anything was changed.
 */
export async function redactLeak(
  store: Store,
  { session, inspection }: Found,
  { at, signal }: { at: number; signal?: AbortSignal },
): Promise<Holder> {
  const note = await store.redact(session, rewritingAfter(inspection, at), { signal })
  return { session, seqs: note ? redactedSeqs(note) : [] }
}
