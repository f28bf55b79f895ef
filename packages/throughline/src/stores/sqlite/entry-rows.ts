import { crc32 } from 'node:zlib'
import { redacted, redactedShort } from '../../log/redaction/secret.ts'
import { StoreFailedError } from './errors.ts'
import type { Seq, Entry, EntryDraft } from '../../log/entry.ts'
import { understood } from './explain.ts'
import { decodeEntry, encodeEntry, encodeWithCopy, type EncodedEntry } from './payload.ts'

export interface EntryRow {
  seq: Seq
  kind: string
  /** Milliseconds since 1970. */
  at: number
  text: string
}

// A redaction writes over an entry, in the same number of bytes, wherever that is possible: even on
// a full disk there is room for that. A marker may be longer than what it replaces, so there is a
// little room. JSON may end with spaces.
const room = ' '.repeat(16)

/** @throws UnstorableValueError, StoreFailedError if it is too large. */
export function rowOf(seq: Seq, draft: EntryDraft, file: string): EntryRow {
  return rowOfText(
    seq,
    draft,
    sized(file, () => encodeEntry(draft)),
  )
}

/**
 * The same, and what it will be read as.
 * @throws UnstorableValueError, StoreFailedError if it is too large.
 */
export function rowWithCopy(
  seq: Seq,
  draft: EntryDraft,
  file: string,
): { row: EntryRow; entry: EncodedEntry['entry'] } {
  const { text, entry } = sized(file, () => encodeWithCopy(draft))
  return { row: rowOfText(seq, draft, text), entry }
}

function rowOfText(seq: Seq, draft: EntryDraft, text: string): EntryRow {
  const at = Number.isFinite(draft.at) ? draft.at : 0
  return { seq, kind: draft.kind, at, text: text + room }
}

/** What is stored beside a row of this session, to know it again: a row is only where it was put. */
export function checksumOf(session: number, { seq, kind, at, text }: EntryRow): number {
  return crc32(text, crc32(`${session} ${seq} ${kind} ${at} `))
}

/**
 * A row that takes the place of another in as many bytes; `undefined` if it is too long for that.
 */
export function fitted(row: EntryRow, old: EntryRow): EntryRow | undefined {
  const size = Buffer.byteLength(old.text)
  for (const text of [row.text.trimEnd(), row.text.trimEnd().replaceAll(redacted, redactedShort)]) {
    const missing = size - Buffer.byteLength(text)
    if (missing >= 0) return { ...row, text: text + ' '.repeat(missing) }
  }
  return undefined
}

function sized<Encoded>(file: string, encode: () => Encoded): Encoded {
  try {
    return encode()
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

/** @throws StoreFailedError if the text is not an entry. */
export function entryOf({ seq, text }: Pick<EntryRow, 'seq' | 'text'>, file: string): Entry {
  return understood(file, () => decodeEntry(text, seq))
}

export function damagedEntry(file: string, seq: Seq, what: string): StoreFailedError {
  const cause = new Error(`entry ${seq} ${what}`)
  return new StoreFailedError({ file, failure: 'damaged', cause })
}
