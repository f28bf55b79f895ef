import { formsLookedFor, Inspection } from '../../log/redaction/inspection.ts'
import { redactRef, redactText, type Redaction } from '../../log/redaction/redaction.ts'
import { timeSlices } from '../loop/pause.ts'
import type { NearMiss } from '../../log/redaction/near-misses.ts'
import type { Entry, Ref, Seq } from '../../log/entry.ts'
import type { Internals } from '../internals.ts'
import type { Rewriting } from '../store.ts'

/** What a redaction did, and what it left. */
export interface RedactionReport {
  /** The entries that it changed. */
  seqs: Seq[]
  /** How the text may have been written: what was looked for, in words for people. */
  forms: readonly string[]
  /** What looks like the text and was left. */
  near: readonly NearMiss[]
  /**
   * The entries whose sealed compaction of a provider was removed, because only the provider can say
   * whether it holds the text. Our summary stands in its place.
   */
  sealed: readonly Seq[]
  /**
   * The entries whose reasoning lost what only its provider can read, because that may hold the text.
   * Such reasoning is not sent again.
   */
  reasoning: readonly Seq[]
  /** What could not be looked into: images, and files that are no text. */
  unread: readonly Ref[]
}

// This many entries are in memory at once.
const batch = 500

/**
 * Takes a text, or what a ref names, out of every entry of a session.
 * @throws RefNotFoundError, RedactionError, or the signal's reason before anything was changed.
 */
export async function redact(
  { options, stored, now, emit }: Internals,
  what: { text: string } | { ref: Ref },
  signal?: AbortSignal,
): Promise<RedactionReport> {
  const { store, id } = options
  const redaction =
    'text' in what ? redactText(what.text) : redactRef(await stored.whole(), what.ref)
  const inspection = new Inspection(redaction)
  const turn = timeSlices(signal)
  for (let entries = await store.read(id, { upTo: batch }, { signal }); entries.length > 0;) {
    for (const entry of entries) {
      inspection.look(entry)
      await turn()
    }
    const { upTo: after } = inspection
    entries = await store.read(id, { after, upTo: after + batch }, { signal })
  }
  const note = await stored.redact(rewritingAfter(inspection, now()))
  if (note) emit({ type: 'appended', entries: [note] })
  const { near, sealed, reasoning, unread } = inspection
  const seqs = note ? redactedSeqs(note) : []
  return { seqs, forms: formsLookedFor, near, sealed, reasoning, unread }
}

/** A redaction as a store performs it, with a note that names the changed entries. */
export function rewritingOf(change: Redaction, at: number): Rewriting {
  return { change, note: (changed) => noteOf(changed, at) }
}

/** The same, where most entries were looked into already. */
export function rewritingAfter(inspection: Inspection, at: number): Rewriting {
  const { upTo, seqs } = inspection
  return {
    change: (entry) => inspection.change(entry),
    note: (changed) => noteOf(changed, at),
    known: { upTo, seqs },
  }
}

function noteOf(changed: readonly Seq[], at: number): ReturnType<Rewriting['note']> {
  return { kind: 'observation', at, observation: { type: 'redaction', seqs: [...changed] } }
}

/** The entries that a redaction's note names. */
export function redactedSeqs(note: Entry): Seq[] {
  if (note.kind !== 'observation' || note.observation.type !== 'redaction') return []
  return note.observation.seqs
}
