import { clipNote } from '../../compaction/clip/clip.ts'
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

/** The positions of a file's entries in the log that they are added to. */
export interface Renumbering {
  /** The seq of the file's entry with this number. */
  of: (entry: Seq) => Seq
  /** The last seq before the file's next entry: everything up to there belongs to this entry. */
  through: (entry: Seq) => Seq
}

/** The seqs of a file's entries: the first of them at these seqs, the rest from `next` on. */
export function renumberingAfter(seqs: readonly Seq[], next: Seq): Renumbering {
  const of = (entry: Seq): Seq => {
    if (entry < 1) return entry
    return seqs[entry - 1] ?? next + (entry - seqs.length - 1)
  }
  return { of, through: (entry) => of(entry + 1) - 1 }
}

/** A draft that names entries by their number in its file, naming them by their seqs. */
export function renumbered(draft: EntryDraft, numbers: Renumbering): EntryDraft {
  switch (draft.kind) {
    case 'message':
      return draft
    case 'prune':
      return {
        ...draft,
        base: numbers.through(draft.base),
        replacements: renumberedReplacements(draft.replacements, numbers),
      }
    case 'checkpoint':
      return {
        ...draft,
        base: numbers.through(draft.base),
        tail: draft.tail.map((item) => renumberedItem(item, numbers)),
        continuation: draft.continuation && renumberedContinuation(draft.continuation, numbers),
      }
    case 'pin':
      return draft.ref === undefined ? draft : { ...draft, ref: renumberedRef(draft.ref, numbers) }
    case 'unpin':
      return { ...draft, pin: numbers.of(draft.pin) }
    case 'rewind':
      return {
        ...draft,
        to: numbers.through(draft.to),
        ...(draft.resume !== undefined && { resume: numbers.of(draft.resume) }),
      }
    case 'observation':
      return { ...draft, observation: renumberedObservation(draft.observation, numbers) }
  }
}

function renumberedItem(item: TailItem, numbers: Renumbering): TailItem {
  if (item.type === 'omission')
    return { ...item, from: numbers.of(item.from), to: numbers.of(item.to) }
  const { seq, replacements } = item
  return {
    ...item,
    seq: numbers.of(seq),
    ...(replacements && { replacements: renumberedReplacements(replacements, numbers) }),
  }
}

function renumberedContinuation(continuation: Continuation, numbers: Renumbering): Continuation {
  const { of, replacements } = continuation
  return {
    ...continuation,
    ...(of !== undefined && { of: numbers.of(of) }),
    ...(replacements && { replacements: renumberedReplacements(replacements, numbers) }),
  }
}

function renumberedReplacements(
  replacements: readonly Replacement[],
  numbers: Renumbering,
): Replacement[] {
  return replacements.map((replacement) => {
    const ref = renumberedRef(replacement.ref, numbers)
    if ('input' in replacement) return { ...replacement, ref }
    return { ...replacement, ref, text: renumberedText(replacement.text, replacement.ref, ref) }
  })
}

/** A replacement names its part's ref, so that the part can be read back. */
function renumberedText(text: string, from: Ref, to: Ref): string {
  if (from === to) return text
  return text
    .replaceAll(`ref="${from}" />`, `ref="${to}" />`)
    .replaceAll(clipNote(from), clipNote(to))
}

function renumberedObservation(observation: Observation, numbers: Renumbering): Observation {
  if (observation.type !== 'redaction') return observation
  return { ...observation, seqs: observation.seqs.map(numbers.of) }
}

function renumberedRef(text: Ref, numbers: Renumbering): Ref {
  const parsed = parseRef(text)
  return parsed ? refOf(numbers.of(parsed.seq), parsed.part) : text
}
