import { fieldsOf, type Fields, isShallow } from '../../json/fields.ts'
import { headerIn, type Header } from './header.ts'
import type { Format, FormatReader, SessionFacts } from '../format.ts'
import { draftQueue, give, takeReady, type DraftQueue } from '../reading/draft-queue.ts'
import { addFacts, type StoredFacts } from '../stored/facts.ts'
import type { EntryDraft, Seq } from '../../log/entry.ts'
import { decodeEntry } from '../../stores/sqlite/payload.ts'
import { isEntry } from './entry-shape.ts'

interface State {
  drafts: DraftQueue
  header: Header | undefined
  facts: StoredFacts
  at: number
  lost: Record<Lost, number>
}

/** Why an entry is missing. */
type Lost = 'damaged' | 'missing'

// Missing lines are replaced with notes, but a file that names very high seqs is not filled up to
// them.
const mostMissing = 10_000

/** A fresh reader for one exported session. What is lost leaves its seq, so that refs stay true. */
function throughlineReader(): FormatReader {
  const state: State = {
    drafts: draftQueue(),
    header: undefined,
    facts: {},
    at: 0,
    lost: { damaged: 0, missing: 0 },
  }
  return {
    push(value) {
      const record = fieldsOf(value)
      if (record) readRecord(state, record)
      return takeReady(state.drafts)
    },
    end: () => takeReady(state.drafts),
    facts: () => factsOf(state),
  }
}

function readRecord(state: State, record: Fields): void {
  state.header ??= headerIn(record)
  const entry = entryIn(record)
  if (!entry || !makeRoom(state, entry.seq)) return
  if (!entry.draft) return giveLost(state, 'damaged')
  state.at = entry.draft.at
  addFacts(state.facts, entry.draft)
  give(state.drafts, entry.draft)
}

/** Keeps the seqs of entries that are not there; says no to an entry whose seq is taken. */
function makeRoom(state: State, seq: Seq): boolean {
  const missing = seq - state.drafts.given - 1
  if (missing < 0 || state.lost.missing + missing > mostMissing) return false
  for (let count = 0; count < missing; count++) giveLost(state, 'missing')
  return true
}

function giveLost({ drafts, at, lost }: State, reason: Lost): void {
  lost[reason] += 1
  const note: EntryDraft = {
    kind: 'observation',
    at,
    observation: { type: 'note', name: 'lost-entry', data: { reason } },
  }
  give(drafts, note)
}

function factsOf({ header, facts, lost, drafts }: State): SessionFacts {
  const cutOff = Math.max(0, (header?.entries ?? 0) - drafts.given)
  const omitted = { ...facts.omitted, ...lost, missing: lost.missing + cutOff }
  const some = Object.entries(omitted).filter(([, count]) => count > 0)
  return {
    ...facts,
    ...(header?.id !== undefined && { id: header.id }),
    ...(some.length > 0 && { omitted: Object.fromEntries(some) }),
  }
}

/** Throughline's own format, written by {@link exportSession}. */
export const throughline: Format = {
  name: 'throughline',
  place: 'the output of throughline export',
  recognises: (records) => records.some((record) => headerIn(record) || isOwnEntry(record)),
  reader: throughlineReader,
}

/** Also if the first line is lost. */
function isOwnEntry(record: unknown): boolean {
  const fields = fieldsOf(record)
  return fields !== undefined && entryIn(fields)?.draft !== undefined
}

/** An entry of a file, and the seq that it has in its log. */
interface PlacedDraft {
  seq: Seq
  /** `undefined` if it is damaged. */
  draft: EntryDraft | undefined
}

// Deeper than any legitimate value, but not so deep that later code runs out of stack.
const deepest = 500

/** The entry in a record; `undefined` if it isn't one. */
function entryIn(record: Fields): PlacedDraft | undefined {
  const { seq } = record
  if (!isSeq(seq) || typeof record['kind'] !== 'string') return undefined
  return { seq, draft: draftIn(record, seq) }
}

function isSeq(value: unknown): value is Seq {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}

function draftIn(record: Fields, seq: Seq): EntryDraft | undefined {
  if (!isShallow(record, deepest)) return undefined
  try {
    const { seq: _, ...draft } = decodeEntry(JSON.stringify(record), seq)
    return isEntry(draft) ? draft : undefined
  } catch {
    // Values marked as bytes, dates and the like that aren't.
    return undefined
  }
}
