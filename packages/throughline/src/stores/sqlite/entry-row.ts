import { StoreFailedError } from './errors.ts'
import { understood } from './explain.ts'
import { decodeEntry, encodeEntry } from './payload.ts'
import type { Entry, EntryDraft, Seq } from '../../log/entry.ts'

/** An entry as it stands in its table. */
export interface EntryRow {
  seq: Seq
  kind: string
  /** Milliseconds since 1970. */
  at: number
  text: string
}

/** @throws UnstorableValueError, StoreFailedError if it is too large. */
export function rowOf(seq: Seq, draft: EntryDraft, file: string): EntryRow {
  return { seq, kind: draft.kind, at: draft.at, text: textOf(draft, file) }
}

function textOf(draft: EntryDraft, file: string): string {
  try {
    return encodeEntry(draft)
  } catch (cause) {
    // JavaScript holds texts of up to 512 MB.
    if (!isTooLong(cause)) throw cause
    throw new StoreFailedError({ file, failure: 'too-large', cause })
  }
}

function isTooLong(error: unknown): boolean {
  if (error instanceof RangeError) return true
  return error instanceof Error && 'code' in error && error.code === 'ERR_STRING_TOO_LONG'
}

/** @throws StoreFailedError if the text is no entry. */
export function entryOf({ seq, text }: Pick<EntryRow, 'seq' | 'text'>, file: string): Entry {
  return understood(file, () => decodeEntry(text, seq))
}
