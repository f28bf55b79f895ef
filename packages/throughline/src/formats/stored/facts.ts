import { countOf, fieldsOf, nameOf, textOf, type Fields } from '../../json/fields.ts'
import type { SessionFacts } from '../format.ts'
import type { Entry, EntryDraft, ObservationDraft, Seq } from '../../log/entry.ts'
import type { Store, StoredSession } from '../../session/store.ts'

/** What a short look at a stored session shows. */
export interface Look {
  /** All entries that aren't messages. */
  marked: readonly Entry[]
  /** The newest messages. */
  recent: readonly Entry[]
  facts: StoredFacts
}

// Entries that aren't messages are few and small.
const marks = ['observation', 'rewind', 'checkpoint', 'prune', 'pin', 'unpin'] as const
// A model answers in at least one of this many messages.
const mostRecent = 20

export async function lookAt(
  store: Store,
  { id, newest: upTo }: Pick<StoredSession, 'id' | 'newest'>,
): Promise<Look> {
  const marked = await store.read(id, { kinds: marks, upTo })
  const recent = await store.read(id, { kinds: ['message'], newest: mostRecent, upTo })
  const facts: StoredFacts = {}
  const entries = [...marked, ...recent].sort((one, other) => one.seq - other.seq)
  for (const entry of entries) addFacts(facts, entry)
  return { marked, recent, facts }
}

/** What is known about a stored session besides its messages, without reading all of it. */
export async function storedFacts(
  store: Store,
  stored: Pick<StoredSession, 'id' | 'newest'>,
): Promise<StoredFacts> {
  return (await lookAt(store, stored)).facts
}

/** What is known about a stored session besides its messages. */
export interface StoredFacts extends SessionFacts {
  /** The format of the file that it was imported from. */
  format?: string
  /** That file, as an absolute path, or another description of the source. */
  source?: string
}

/** A piece of a file that was imported: its entries come right before the note about it. */
export interface ImportedPiece {
  /** The position of the piece's first entry in its file, from 1. */
  first: number
  count: number
}

const noteName = 'import'

/** Notes after imported entries where they come from, and what else their file said. */
export function importNote(facts: StoredFacts, piece: ImportedPiece, at: number): ObservationDraft {
  const data = { ...facts, ...piece }
  return { kind: 'observation', at, observation: { type: 'note', name: noteName, data } }
}

/** What wrote a session that wasn't created in a store. */
export function formatOf({ format }: StoredFacts): string {
  return format ?? 'throughline'
}

/** Folds in what an entry says: the note of an import, and the model that answered. */
export function addFacts(facts: StoredFacts, entry: EntryDraft): void {
  if (entry.kind === 'message' && entry.model) facts.model = entry.model
  const data = dataOf(entry)
  if (data) Object.assign(facts, factsIn(data))
}

/** The seqs of the imported entries, in the order of their file. */
export function importedSeqs(entries: readonly Entry[]): Seq[] {
  const seqs: Seq[] = []
  let noted = 0
  for (const entry of entries) {
    const data = dataOf(entry)
    if (!data) continue
    const first = countOf(data['first']) ?? 0
    const count = countOf(data['count']) ?? 0
    if (first >= 1 && first <= seqs.length + 1 && count < entry.seq - noted) {
      seqs.length = first - 1
      for (let seq = entry.seq - count; seq < entry.seq; seq++) seqs.push(seq)
    }
    noted = entry.seq
  }
  return seqs
}

function dataOf(entry: EntryDraft): Fields | undefined {
  if (entry.kind !== 'observation' || entry.observation.type !== 'note') return undefined
  return entry.observation.name === noteName ? fieldsOf(entry.observation.data) : undefined
}

/** A file may come from anybody, so values of the wrong type are ignored. */
function factsIn(data: Fields): StoredFacts {
  const facts = {
    id: nameOf(data['id']),
    model: nameOf(data['model']),
    window: countOf(data['window']) || undefined,
    directory: nameOf(data['directory']),
    system: textOf(data['system']),
    format: nameOf(data['format']),
    source: nameOf(data['source']),
    omitted: omittedIn(data['omitted']),
  }
  return Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined))
}

function omittedIn(value: unknown): SessionFacts['omitted'] {
  const counts: Record<string, number> = {}
  for (const [reason, written] of Object.entries(fieldsOf(value) ?? {})) {
    const count = countOf(written)
    if (count !== undefined) counts[reason] = count
  }
  return Object.keys(counts).length === 0 ? undefined : counts
}
