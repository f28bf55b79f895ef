import { clipNote } from '../../compaction/clip/clip-note.ts'
import { parseRef, ref as refOf } from '../../log/ref.ts'
import type {
  Continuation,
  EntryDraft,
  Observation,
  Ref,
  Replacement,
  Seq,
  TailItem,
} from '../../log/entry.ts'

/** Where the entries of a file stand in the log that they are put into. */
export interface Places {
  /** The place of the file's entry with this number. */
  of: (entry: Seq) => Seq
  /** The last place before the file's next entry: what stands there by then belongs to it. */
  through: (entry: Seq) => Seq
}

/** The places of a file's entries: the first of them at these seqs, the rest from `next` on. */
export function placesAfter(seqs: readonly Seq[], next: Seq): Places {
  const of = (entry: Seq): Seq => {
    if (entry < 1) return entry
    return seqs[entry - 1] ?? next + (entry - seqs.length - 1)
  }
  return { of, through: (entry) => of(entry + 1) - 1 }
}

/** A draft that names entries by their number in its file, naming them by their places. */
export function placed(draft: EntryDraft, places: Places): EntryDraft {
  switch (draft.kind) {
    case 'message':
      return draft
    case 'prune':
      return {
        ...draft,
        base: places.through(draft.base),
        replacements: placedReplacements(draft.replacements, places),
      }
    case 'checkpoint':
      return {
        ...draft,
        base: places.through(draft.base),
        tail: draft.tail.map((item) => placedItem(item, places)),
        continuation: draft.continuation && placedContinuation(draft.continuation, places),
      }
    case 'pin':
      return draft.ref === undefined ? draft : { ...draft, ref: placedRef(draft.ref, places) }
    case 'unpin':
      return { ...draft, pin: places.of(draft.pin) }
    case 'rewind':
      return {
        ...draft,
        to: places.through(draft.to),
        ...(draft.resume !== undefined && { resume: places.of(draft.resume) }),
      }
    case 'observation':
      return { ...draft, observation: placedObservation(draft.observation, places) }
  }
}

function placedItem(item: TailItem, places: Places): TailItem {
  if (item.type === 'gap') return { ...item, from: places.of(item.from), to: places.of(item.to) }
  const { seq, replacements } = item
  return {
    ...item,
    seq: places.of(seq),
    ...(replacements && { replacements: placedReplacements(replacements, places) }),
  }
}

function placedContinuation(continuation: Continuation, places: Places): Continuation {
  const { of, replacements } = continuation
  return {
    ...continuation,
    ...(of !== undefined && { of: places.of(of) }),
    ...(replacements && { replacements: placedReplacements(replacements, places) }),
  }
}

function placedReplacements(replacements: readonly Replacement[], places: Places): Replacement[] {
  return replacements.map((replacement) => {
    const ref = placedRef(replacement.ref, places)
    if ('input' in replacement) return { ...replacement, ref }
    return { ...replacement, ref, text: placedText(replacement.text, replacement.ref, ref) }
  })
}

/** What stands in the place of a part says its ref, so that it can be read back. */
function placedText(text: string, from: Ref, to: Ref): string {
  if (from === to) return text
  return text
    .replaceAll(`ref="${from}" />`, `ref="${to}" />`)
    .replaceAll(clipNote(from), clipNote(to))
}

function placedObservation(observation: Observation, places: Places): Observation {
  if (observation.type !== 'redaction') return observation
  return { ...observation, seqs: observation.seqs.map(places.of) }
}

function placedRef(text: Ref, places: Places): Ref {
  const parsed = parseRef(text)
  return parsed ? refOf(places.of(parsed.seq), parsed.part) : text
}
