import { chunksOf, inUtf8, joined, decoded, withoutMark, type ByteSource } from './byte-lines.ts'
import { detectFormat } from '../detect/detect.ts'
import { formats as allFormats } from '../formats.ts'
import { EmptySessionError, UnknownSessionError } from './errors.ts'
import { fieldsOf, type Fields } from '../../json/fields.ts'
import { recognizeOwn } from '../../ledger/recognize-own.ts'
import { readRecords, recordsOf } from './records.ts'
import { chronological, type Chronological } from '../../log/order.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Format, FormatReader, SessionFacts, SkippedLine } from '../format.ts'
import type { Entry, EntryDraft } from '../../log/entry.ts'

/**
 * Describes a file by its first bytes if it isn't text; `undefined` for text. A crash leaves holes of
 * zeros in a file of JSON, which are torn lines like others.
 */
function binaryKind(bytes: Uint8Array): string | undefined {
  for (const { kind, start } of signatures) {
    if (start.every((byte, index) => bytes[index] === byte)) return kind
  }
  const start = bytes.find((byte) => byte !== 0)
  const json = start === openBrace || start === openBracket
  return !json && bytes.subarray(0, 4096).includes(0) ? 'binary data' : undefined
}

const openBrace = 0x7b
const openBracket = 0x5b

const signatures: readonly { kind: string; start: readonly number[] }[] = [
  { kind: 'a SQLite database', start: [...'SQLite format 3\0'].map((sign) => sign.charCodeAt(0)) },
  { kind: 'gzip-compressed data', start: [0x1f, 0x8b] },
  { kind: 'zstd-compressed data', start: [0x28, 0xb5, 0x2f, 0xfd] },
  { kind: 'a zip archive', start: [0x50, 0x4b, 0x03, 0x04] },
]

/** Describes a record that no format recognized. */
function recordKind(record: Fields): string {
  const keys = Object.keys(record)
  if (keys.length === 0) return 'an empty JSON object'
  const shown = keys.slice(0, 5).map(plain).join(', ')
  const type = typeof record['type'] === 'string' ? ` and the type ${plain(record['type'])}` : ''
  return `a JSON object with the keys ${shown}${keys.length > 5 ? ', …' : ''}${type}`
}

/**
 * Describes the content of a file without records, from its first bytes and the number of lines
 * seen.
 */
function textKind(head: string, lines: number): string {
  const start = head.trimStart()
  if (start.startsWith('{')) {
    return lines > 1
      ? 'the start of a JSON document that spans several lines'
      : 'a JSON object that does not end'
  }
  if (start.startsWith('[')) return 'a JSON array, or the start of one'
  return 'text that is not JSON'
}

/** Text from a file in an error message: short, and without characters that affect a terminal. */
function plain(text: string): string {
  return JSON.stringify(text.slice(0, 40).replace(/[^\x20-\x7e]/g, '?'))
}

/** Which format to read, and who is told of what is left out. */
export interface ReadSessionOptions {
  /** Called with every line that isn't one whole record. */
  onSkipped?: (line: SkippedLine) => void
  /** Called with the number of bytes read so far. */
  onProgress?: (bytes: number) => void
  /** The formats to choose from; all known formats by default. */
  formats?: readonly Format[]
  /**
   * What Throughline wrote into files. Without it, a summary that begins a session is carried on as
   * the words of a model, and no rule in it is the human's.
   */
  ledger?: Ledger
}

export interface SessionStream {
  /** The name of the format, for example `claude-code`. */
  format: string
  /** The entries without their seqs, in order, as they become certain. Can be read once. */
  drafts: AsyncGenerator<EntryDraft>
  /** What the records read so far say about the session. */
  facts: () => SessionFacts
}

export interface SessionRead {
  format: string
  facts: SessionFacts
  /** The entries, with the seqs 1, 2, 3… */
  log: Chronological
  /** The first lines that aren't one whole record, at most 1,000. */
  skipped: SkippedLine[]
  /** How many such lines there are. */
  skippedCount: number
}

/** How many lines are examined before a file is rejected. */
const patience = 200
const mostSkippedKept = 1000
/** So many bytes are looked at to tell what a file is. */
const firstLength = 4096

/**
 * Reads a client's session file completely, whichever known client wrote it.
 * @throws EmptySessionError if it contains no record
 * @throws UnknownSessionError if it isn't a session in a known format
 * @example
 * const { format, log } = await readSession(createReadStream('session.jsonl'))
 */
export async function readSession(
  source: ByteSource,
  options: ReadSessionOptions = {},
): Promise<SessionRead> {
  const skipped: SkippedLine[] = []
  let skippedCount = 0
  const onSkipped = (line: SkippedLine): void => {
    skippedCount++
    if (skipped.length < mostSkippedKept) skipped.push(line)
    options.onSkipped?.(line)
  }
  const session = await streamSession(source, { ...options, onSkipped })
  const entries: Entry[] = []
  for await (const draft of session.drafts) entries.push({ ...draft, seq: entries.length + 1 })
  const log = chronological(entries)
  return { format: session.format, facts: session.facts(), log, skipped, skippedCount }
}

/**
 * Opens a session for streaming. The format is known at once, and the entries follow in constant
 * memory (a file that is one JSON document is held in memory whole).
 * @throws EmptySessionError if it contains no record
 * @throws UnknownSessionError if it isn't a session in a known format
 * @example
 * const { drafts } = await streamSession(createReadStream('session.jsonl'))
 * for await (const draft of drafts) await store.append(draft)
 */
export async function streamSession(
  source: ByteSource,
  options: ReadSessionOptions = {},
): Promise<SessionStream> {
  const known = options.formats ?? allFormats
  const lines = new WeakMap<object, number>()
  const early = await lookAt(source, known, { ...options, lines })
  const reader = early.format.reader(options.ledger)
  const given = recognizeOwn(options.ledger)
  return {
    format: early.format.name,
    drafts: draftsOf(noting(reader, lines, options), early, given),
    facts: reader.facts,
  }
}

type LookOptions = ReadSessionOptions & { lines: WeakMap<object, number> }

interface EarlyLook {
  format: Format
  records: readonly unknown[]
  rest: AsyncGenerator<readonly unknown[]>
}

/** Reads until the format is certain. */
async function lookAt(
  source: ByteSource,
  known: readonly Format[],
  options: LookOptions,
): Promise<EarlyLook> {
  const chunks = inUtf8(chunksOf(source))
  try {
    const head = await firstBytes(chunks)
    const binary = binaryKind(head)
    if (binary) throw new UnknownSessionError({ found: binary, line: 1, formats: known })
    const text = textFormat(head, known)
    if (text) {
      return { format: text, records: [], rest: recordsOf(text, rejoined(head, chunks), options) }
    }
    return await lookAtRecords(head, chunks, known, options)
  } catch (error) {
    await chunks.return(undefined)
    throw error
  }
}

/** The format of a file that isn't JSON, by its first lines. */
function textFormat(head: Uint8Array, known: readonly Format[]): Format | undefined {
  const formats = known.filter(({ syntax }) => syntax === 'text')
  if (formats.length === 0) return undefined
  const lines = withoutMark(decoded(head.subarray(0, firstLength)).text).split(/\r?\n/)
  // The last line may be incomplete.
  return detectFormat(lines.length > 1 ? lines.slice(0, -1) : lines, formats)
}

async function lookAtRecords(
  head: Uint8Array,
  chunks: AsyncGenerator<Uint8Array>,
  known: readonly Format[],
  options: LookOptions,
): Promise<EarlyLook> {
  const json = known.filter(({ syntax }) => syntax !== 'text')
  const records: unknown[] = []
  const skipped: SkippedLine[] = []
  let report = (line: SkippedLine): void => void skipped.push(line)
  let bytes = 0
  const rest = readRecords(rejoined(head, chunks), {
    lines: options.lines,
    onSkipped: (line) => report(line),
    onProgress: (count) => {
      bytes = count
      options.onProgress?.(count)
    },
  })
  for (let next = await rest.next(); !next.done; next = await rest.next()) {
    for (const record of next.value) records.push(record)
    const format = detectFormat(records, json)
    if (format) {
      for (const line of skipped) options.onSkipped?.(line)
      report = (line) => options.onSkipped?.(line)
      return { format, records, rest }
    }
    if (records.length + skipped.length >= patience) break
  }
  const [first] = skipped
  const record = fieldsOf(records[0])
  if (first && (first.line === 1 || !record)) {
    const text = new TextDecoder().decode(head.subarray(0, 200))
    const found = textKind(text, records.length + skipped.length)
    throw new UnknownSessionError({ found, line: first.line, formats: known })
  }
  if (!record) throw new EmptySessionError({ bytes })
  throw new UnknownSessionError({ found: recordKind(record), line: 1, formats: known })
}

/** As much of the beginning as tells text from JSON and from what is neither. */
async function firstBytes(chunks: AsyncGenerator<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let length = 0
  while (length < firstLength) {
    const next = await chunks.next()
    if (next.done) break
    pieces.push(next.value)
    length += next.value.length
  }
  if (length === 0) throw new EmptySessionError({ bytes: 0 })
  return joined(pieces, length)
}

async function* rejoined(
  head: Uint8Array,
  chunks: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield head
    yield* chunks
  } finally {
    await chunks.return(undefined)
  }
}

/** The reader, with what it does not understand reported by its line. */
function noting(
  reader: FormatReader,
  lines: WeakMap<object, number>,
  { onSkipped }: ReadSessionOptions,
): Pick<FormatReader, 'push' | 'end'> {
  let line = 0
  const noted = (drafts: EntryDraft[]): EntryDraft[] => {
    for (const reason of reader.unread?.() ?? []) onSkipped?.({ line, reason, read: 0 })
    return drafts
  }
  return {
    push(record) {
      line = lines.get(record as object) ?? line + 1
      return noted(reader.push(record))
    },
    end: () => noted(reader.end()),
  }
}

async function* draftsOf(
  reader: Pick<FormatReader, 'push' | 'end'>,
  { records, rest }: EarlyLook,
  recognised: (draft: EntryDraft) => EntryDraft,
): AsyncGenerator<EntryDraft> {
  try {
    for (const record of records) for (const draft of reader.push(record)) yield recognised(draft)
    for await (const batch of rest) {
      for (const record of batch) for (const draft of reader.push(record)) yield recognised(draft)
    }
    for (const draft of reader.end()) yield recognised(draft)
  } finally {
    await rest.return(undefined)
  }
}
