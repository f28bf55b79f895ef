import { StoreConflictError } from '../../session/errors.ts'
import { draftOf } from '../../log/entry.ts'
import { throughline } from '../throughline/format.ts'
import { ImportConflictError, type Divergence } from './errors.ts'
import { importedSeqs, importNote } from './facts.ts'
import { encodeEntry } from '../../stores/sqlite/payload.ts'
import { renumbered, renumberingAfter } from './renumbered.ts'
import type { Entry, EntryDraft, RewindDraft, Seq } from '../../log/entry.ts'
import { timeSlices, type Turn } from '../../session/loop/pause.ts'
import type { Store } from '../../session/store.ts'
import type { SessionRead } from '../reading/read-session.ts'

export interface ImportOptions {
  /** The session's name in the store. */
  id: string
  /** Where it comes from, for later reference. */
  source?: string
  /** Ends the import with its reason; nothing of the session is stored then. */
  signal?: AbortSignal
}

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
    const { id, signal } = options
    const stored = await store.read(id, {}, { signal })
    const { drafts, ...done } = await additions(read, stored, options)
    if (drafts.length === 0) return done
    try {
      await store.append(id, drafts, { newest: stored.length }, { signal })
      return done
    } catch (error) {
      if (!StoreConflictError.isInstance(error) || attempt === attempts) throw error
    }
  }
}

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
async function additions(
  read: Imported,
  stored: readonly Entry[],
  { id, source, signal }: ImportOptions,
): Promise<Additions> {
  const turn = timeSlices(signal)
  const { log, format, facts } = read
  // An export is a complete log, including the notes of its imports.
  const isLog = format === throughline.name
  const part = storedPart(stored, isLog ? stored.map(({ seq }) => seq) : importedSeqs(stored))
  const conflict = (divergence: Divergence, seq: Seq): ImportConflictError =>
    new ImportConflictError({ session: id, divergence, seq })
  if (stored.length > 0 && part.seqs.length === 0) throw conflict('another', 0)
  const known = await sharedBeginning(log, part, turn)
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
  const added: EntryDraft[] = []
  for (const entry of log.slice(known)) {
    added.push(renumbered(draftOf(entry), numbers))
    await turn()
  }
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
async function sharedBeginning(
  log: readonly Entry[],
  { entries, seqs, redacted }: StoredPart,
  turn: Turn,
): Promise<number> {
  const numbers = renumberingAfter(seqs, Infinity)
  const most = Math.min(log.length, entries.length)
  for (let index = 0; index < most; index++) {
    const [own, other] = [log[index] as Entry, entries[index] as Entry]
    const alike = redacted.has(other.seq)
      ? own.kind === other.kind
      : encodeEntry(renumbered(draftOf(own), numbers)) === encodeEntry(draftOf(other))
    if (!alike) return index
    await turn()
  }
  return most
}
