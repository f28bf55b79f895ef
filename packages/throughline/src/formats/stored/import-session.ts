import { StoreConflictError } from '../../session/errors.ts'
import { draftOf } from '../../log/entry.ts'
import { throughline } from '../throughline/format.ts'
import { ImportConflictError } from './errors.ts'
import { importedSeqs, importNote } from './facts.ts'
import { encodeEntry } from '../../stores/sqlite/payload.ts'
import { clipNote } from '../../compaction/clip/clip-note.ts'
import { parseRef, ref as refOf } from '../../log/ref.ts'
import type {
  Entry,
  EntryDraft,
  RewindDraft,
  Seq,
  Continuation,
  Observation,
  Ref,
  Replacement,
  TailItem,
} from '../../log/entry.ts'
import type { Divergence } from './errors.ts'
import type { Store } from '../../session/store.ts'
import type { SessionRead } from '../reading/read-session.ts'

/** How to import a session into a store. */
export interface ImportOptions {
  /** The session's name in the store. */
  id: string
  /** Where it comes from, for later reference. */
  source?: string
}

/** What an import did. */
export type ImportedSession = Omit<Additions, 'drafts'>

// Somebody else may import the same session at the same time.
const attempts = 3

/**
 * Imports a session into a store in one transaction, or adds what is new in it since the last
 * import. Its entries have the same seqs as in the file, as long as nothing else was written in
 * between; a note after them says where they come from. For an exported session, the log becomes
 * the same, entry for entry.
 * @throws ImportConflictError if the store holds another session under this name
 * @example
 * await importSession(store, await readSession(createReadStream('a.jsonl')), { id: 'a' })
 */
export async function importSession(
  store: Store,
  read: Imported,
  options: ImportOptions,
): Promise<ImportedSession> {
  for (let attempt = 1; ; attempt++) {
    const stored = await store.read(options.id)
    const { drafts, ...done } = additions(read, stored, options)
    if (drafts.length === 0) return done
    try {
      await store.append(options.id, drafts, { newest: stored.length })
      return done
    } catch (error) {
      if (!StoreConflictError.isInstance(error) || attempt === attempts) throw error
    }
  }
}

/** A session as it was read. */
export type Imported = Pick<SessionRead, 'format' | 'facts' | 'log'>

/** What to add to a store so that it holds all of a session. */
interface Additions {
  drafts: EntryDraft[]
  /** How many of them are entries of the file, and how many the store already has. */
  added: number
  known: number
  /** Whether they rewind the newest step, which was half written. */
  replaced: boolean
}

/**
 * What is new in a file, given everything that the store holds under this name.
 * @throws ImportConflictError
 */
function additions(
  read: Imported,
  stored: readonly Entry[],
  { id, source }: ImportOptions,
): Additions {
  const { log, format, facts } = read
  // An export is a complete log, including the notes of its imports.
  const isLog = format === throughline.name
  const part = storedPart(stored, isLog ? stored.map(({ seq }) => seq) : importedSeqs(stored))
  const conflict = (divergence: Divergence, seq: Seq): ImportConflictError =>
    new ImportConflictError({ session: id, divergence, seq })
  if (stored.length > 0 && part.seqs.length === 0) throw conflict('another', 0)
  const known = sharedBeginning(log, part)
  if (known === log.length) return { drafts: [], added: 0, known, replaced: false }
  const changed = part.seqs[known]
  if (changed !== undefined) {
    // If a client is still working, the newest step may be read half written.
    if (isLog || known < newestStep(part.entries)) throw conflict('diverged', changed)
    if (wentOn(stored, part, changed)) throw conflict('went-on', changed)
  }
  const takesBack = changed === undefined ? [] : [goingBackBefore(changed, log[known])]
  const next = stored.length + takesBack.length + 1
  const numbers = renumberingAfter(part.seqs.slice(0, known), next)
  const added = log.slice(known).map((entry) => renumbered(draftOf(entry), numbers))
  const note = importNote(
    { ...facts, format, ...(source !== undefined && { source }) },
    { first: known + 1, count: added.length },
    added.at(-1)?.at ?? 0,
  )
  return {
    drafts: [...takesBack, ...added, ...(isLog ? [] : [note])],
    added: added.length,
    known,
    replaced: takesBack.length > 0,
  }
}

/** Where the newest answer of the model begins. */
function newestStep(entries: readonly Entry[]): number {
  const index = entries.findLastIndex(
    (entry) => entry.kind === 'message' && entry.message.role === 'assistant',
  )
  return Math.max(index, 1)
}

/** Whether anything but a file has changed the stored session since this entry. */
function wentOn(stored: readonly Entry[], { seqs }: StoredPart, since: Seq): boolean {
  const imported = new Set(seqs)
  return stored.slice(since).some(({ kind, seq }) => kind !== 'observation' && !imported.has(seq))
}

function goingBackBefore(seq: Seq, instead: Entry | undefined): RewindDraft {
  return { kind: 'rewind', at: instead?.at ?? 0, to: seq - 1 }
}

/** The entries of a store that come from a file, in the file's order. */
interface StoredPart {
  entries: readonly Entry[]
  /** Their positions. */
  seqs: readonly Seq[]
  /** Those in the store whose text was overwritten: no file matches them anymore. */
  redacted: ReadonlySet<Seq>
}

function storedPart(stored: readonly Entry[], seqs: readonly Seq[]): StoredPart {
  const redacted = new Set<Seq>()
  for (const entry of stored) {
    if (entry.kind !== 'observation' || entry.observation.type !== 'redaction') continue
    for (const seq of entry.observation.seqs) redacted.add(seq)
  }
  return { entries: seqs.map((seq) => stored[seq - 1] as Entry), seqs, redacted }
}

/** How many entries, from the first one on, a file and a store have in common. */
function sharedBeginning(log: readonly Entry[], { entries, seqs, redacted }: StoredPart): number {
  const numbers = renumberingAfter(seqs, Infinity)
  const most = Math.min(log.length, entries.length)
  for (let index = 0; index < most; index++) {
    const [own, other] = [log[index] as Entry, entries[index] as Entry]
    const alike = redacted.has(other.seq)
      ? own.kind === other.kind
      : encodeEntry(renumbered(draftOf(own), numbers)) === encodeEntry(draftOf(other))
    if (!alike) return index
  }
  return most
}

/** The positions of a file's entries in the log that they are added to. */
interface Renumbering {
  /** The seq of the file's entry with this number. */
  of: (entry: Seq) => Seq
  /** The last seq before the file's next entry: everything up to there belongs to this entry. */
  through: (entry: Seq) => Seq
}

/** The seqs of a file's entries: the first of them at these seqs, the rest from `next` on. */
function renumberingAfter(seqs: readonly Seq[], next: Seq): Renumbering {
  const of = (entry: Seq): Seq => {
    if (entry < 1) return entry
    return seqs[entry - 1] ?? next + (entry - seqs.length - 1)
  }
  return { of, through: (entry) => of(entry + 1) - 1 }
}

/** A draft that names entries by their number in its file, naming them by their seqs. */
function renumbered(draft: EntryDraft, numbers: Renumbering): EntryDraft {
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
