import { decodeEntry } from '../../stores/sqlite/payload.ts'
import { isShallow } from '../../json/fields.ts'
import { isEntry } from './entry-shape.ts'
import type { Fields } from '../../json/fields.ts'
import type { EntryDraft, Seq } from '../../log/entry.ts'

/** An entry of a file, and the place that it has in its log. */
export interface PlacedDraft {
  seq: Seq
  /** `undefined` if it is damaged. */
  draft: EntryDraft | undefined
}

// Deeper than anything that is meant, and not so deep that code further on runs out of stack.
const deepest = 500

/** The entry that a record is; `undefined` for what is none. */
export function entryIn(record: Fields): PlacedDraft | undefined {
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
    // Bytes, dates and the like that are none.
    return undefined
  }
}
