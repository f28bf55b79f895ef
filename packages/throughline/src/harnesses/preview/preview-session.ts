import { messagesLabel } from '../../facts/labels.ts'
import { messageText } from '../../log/message.ts'
import { UnreadableSessionError } from '../errors.ts'
import { linesOf } from '../database-lines.ts'
import { databaseEnds, lineEnds } from './database-ends.ts'
import { type Chronological, chronological, entryAt } from '../../log/order.ts'
import type { FoundSession, StorageSession, FileSession } from '../found-session.ts'
import type { SessionEnds, Stretch } from './session-ends.ts'
import { readSession } from '../../formats/reading/read-session.ts'
import {
  storageDocument,
  storedBytes,
  storedMessages,
  type StoredMessage,
} from '../opencode/storage-document.ts'
import { open, type FileHandle } from 'node:fs/promises'
import { startsDocument } from '../../formats/reading/json-document.ts'
import { recordsOf } from '../../formats/reading/records.ts'
import type { Format } from '../../formats/format.ts'
import type { Entry } from '../../log/entry.ts'
import { fieldsOf, nameOf, type Fields } from '../../json/fields.ts'
import { measure, measureFrame, measureItems } from '../../compaction/measure/measure.ts'
import { counterOf, type Counter } from '../../tokens/counter.ts'
import { summaryAsUser } from '../../compaction/render/summary-block.ts'
import { contextOf, type Context } from '../../log/context/context.ts'
import { answerTokens } from '../../tokens/prices.ts'
import { startingRatio } from '../../tokens/calibration.ts'
import { estimatedTokens, plus, toModel } from '../../tokens/units.ts'

/** What a short look at a session shows. Others wrote all of it: print it with care. */
export interface SessionPreview {
  /** The whole id, if the session contains it. */
  id: string
  /** The human's first message, if it is near the beginning. */
  title: string | undefined
  directory: string | undefined
  model: string | undefined
  /** The model's window in tokens, if the harness recorded it. */
  window: number | undefined
  tokens: PreviewTokens | undefined
  /** The size of its file, or of its parts in a database. */
  bytes: number
  /** How many entries it has, if it is short enough that all of it was read. */
  entries: number | undefined
}

/**
 * Looks at the beginning and the end of a session, at a cost that hardly grows with its length: it
 * reads a few hundred kilobytes.
 * @throws UnreadableSessionError
 */
export async function previewSession(found: FoundSession): Promise<SessionPreview> {
  const ends = await endsOf(found).catch((cause: unknown) => {
    throw new UnreadableSessionError({ file: found.file, cause })
  })
  const { first, last } = ends
  const facts = { ...first.facts, ...last?.facts }
  const { id } = first.facts
  return {
    id: id?.startsWith(found.id) ? id : found.id,
    title: firstWords(first.log) ?? (last && firstWords(last.log)),
    directory: facts.directory,
    model: facts.model,
    window: facts.window,
    tokens: previewTokens(ends, facts.model),
    bytes: ends.bytes,
    entries: last ? undefined : first.log.length,
  }
}

async function endsOf(found: FoundSession): Promise<SessionEnds> {
  switch (found.type) {
    case 'file':
      return fileEnds(found)
    case 'database': {
      const lines = linesOf(found.harness)
      return lines ? lineEnds(found, lines) : databaseEnds(found)
    }
    case 'storage':
      return storageEnds(found)
  }
}

/** What the human said first, also where that is only in the summary that a session begins with. */
function firstWords(log: Chronological): string | undefined {
  for (const entry of log) {
    const told = entry.kind === 'checkpoint' ? firstTold(entry.summary) : undefined
    if (told !== undefined) return told
    if (entry.kind !== 'message' || entry.origin !== 'human') continue
    const text = messageText(entry.message)
    if (text.trim() !== '') return text
  }
  return undefined
}

function firstTold(summary: string): string | undefined {
  const lines = summary.split('\n')
  const next = lines[lines.indexOf(messagesLabel) + 1]
  return next === undefined ? undefined : /^- \[[^\]\s]*\] (.+)/.exec(next)?.[1]
}

const atFirst = 4
const atLast = 8

/** Reads the first and the newest messages of a session that opencode kept in files. */
async function storageEnds(found: StorageSession): Promise<SessionEnds> {
  const messages = await storedMessages(found)
  const bytes = await storedBytes(found.root, messages)
  const stretchOf = (some: readonly StoredMessage[]): Promise<Stretch> =>
    readSession(storageDocument(found, some), { formats: [found.harness.format] })
  if (messages.length <= atFirst + atLast) {
    return { first: await stretchOf(messages), scale: 1, bytes }
  }
  const newest = messages.slice(-atLast)
  const first = await stretchOf(messages.slice(0, atFirst))
  const last = await stretchOf(newest)
  return { first, last, scale: bytes / Math.max(1, await storedBytes(found.root, newest)), bytes }
}

const kilobyte = 1024
// Most sessions begin with the human's request; Copilot's and Codex's begin with the system prompt.
const firstLengths = [64 * kilobyte, 1024 * kilobyte]
// The newest usage follows the newest outputs, which may be long.
const lastLength = 48 * kilobyte
const longestEnd = 256 * kilobyte
// A JSON document has no end that can be read separately.
const longestDocument = 8 * 1024 * kilobyte

/** Reads at most this much of a file: its beginning and its end. */
async function fileEnds({ file, harness }: FileSession): Promise<SessionEnds> {
  const handle = await open(file, 'r')
  try {
    const { size } = await handle.stat()
    const { format } = harness
    const [least = 0] = firstLengths
    if (size <= least + longestEnd) return await whole(handle, size, format)
    const head = await bytesAt(handle, 0, least)
    if (startsDocument(head) && size <= longestDocument) return await whole(handle, size, format)
    const first = await firstStretch(handle, head, format)
    let length = lastLength
    let last = await lastStretch(await bytesAt(handle, size - length, length), format)
    if (!tellsUsage(last)) {
      length = longestEnd
      last = await lastStretch(await bytesAt(handle, size - length, length), format)
    }
    return { first, last, scale: size / length, bytes: size }
  } finally {
    await handle.close()
  }
}

function tellsUsage({ log, goesBack }: Stretch): boolean {
  return !goesBack && log.some((entry) => entry.kind === 'message' && entry.usage !== undefined)
}

async function whole(handle: FileHandle, size: number, format: Format): Promise<SessionEnds> {
  const first = await stretchOf(await bytesAt(handle, 0, size), format)
  return { first, scale: 1, bytes: size }
}

async function firstStretch(handle: FileHandle, head: Uint8Array, format: Format) {
  let first = await stretchOf(head, format).catch(() => undefined)
  for (const length of firstLengths.slice(1)) {
    if (first?.log.some((entry) => entry.kind === 'message' && entry.origin === 'human')) break
    first = await stretchOf(await bytesAt(handle, 0, length), format)
  }
  return first ?? stretchOf(head, format)
}

async function stretchOf(bytes: Uint8Array, format: Format): Promise<Stretch> {
  return readSession([bytes], { formats: [format] })
}

/**
 * From the first complete line on; or, if the human went back to an earlier point, from there on.
 */
async function lastStretch(bytes: Uint8Array, format: Format): Promise<Stretch> {
  let reader = format.reader()
  let entries: Entry[] = []
  const known: Known = new Set()
  let goesBack = false
  const lines = bytes.subarray(bytes.indexOf(newline) + 1)
  const give = (drafts: ReturnType<typeof reader.end>): void => {
    for (const draft of drafts) entries.push({ ...draft, seq: entries.length + 1 })
  }
  for await (const batch of recordsOf(format, [lines])) {
    for (const record of batch) {
      if (leadsBack(known, fieldsOf(record) ?? {})) {
        reader = format.reader()
        entries = []
        goesBack = true
      }
      give(reader.push(record))
    }
  }
  give(reader.end())
  return { log: chronological(entries), facts: reader.facts(), goesBack }
}

const newline = 10

async function bytesAt(handle: FileHandle, from: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length)
  let read = 0
  while (read < length) {
    const { bytesRead } = await handle.read(bytes, read, length - read, from + read)
    if (bytesRead === 0) break
    read += bytesRead
  }
  return bytes.subarray(0, read)
}

// How records of this format name the ones before them.
const linkNames = [
  { own: 'uuid', parent: 'parentUuid' },
  { own: 'id', parent: 'parentId' },
] as const

/** What is known about the records of a stretch: the names of the records in it. */
type Known = Set<string>

/** Takes a record and returns whether it follows one from before everything known. */
function leadsBack(known: Known, record: Fields): boolean {
  let back = false
  // A subagent's messages are on no path of the session.
  if (record['isSidechain'] === true) return false
  for (const { own, parent } of linkNames) {
    const name = nameOf(record[own])
    const before = nameOf(record[parent])
    if (name === undefined) continue
    if (before !== undefined && known.size > 0 && !known.has(before)) back = true
    known.add(name)
  }
  return back
}

/** The size of a session's next request, and whether a provider counted it. */
interface PreviewTokens {
  count: number
  from: 'usage' | 'estimate'
}

// As in measure.ts: usage that is smaller than what is visible counts something else.
const believable = 4

function previewTokens(
  { first, last, scale: larger }: SessionEnds,
  model: string | undefined,
): PreviewTokens | undefined {
  const counter = counterOf({ ratio: startingRatio(model) })
  const stretch = last ?? first
  const context = contextOf(stretch.log)
  if (!last) {
    const { tokens: count, source: from } = measure(context, first.facts, counter, summaryAsUser)
    return { count, from }
  }
  const count = byUsage(stretch, context, counter)
  if (count !== undefined) return { count, from: 'usage' }
  // How much comes before it is unknown.
  if (last.goesBack) return undefined
  const seen = measureItems(context.items, counter, summaryAsUser)
  if (seen === 0) return undefined
  const { system } = measureFrame({ ...first.facts, ...last.facts }, counter)
  // Everything before the newest compaction is in its summary.
  const messages = context.checkpoint ? seen : Math.round(seen * larger)
  return { count: system + messages, from: 'estimate' }
}

/** The newest usage counts everything before it, whether or not it is visible here. */
function byUsage(
  { log }: Stretch,
  { measured, items }: Context,
  counter: Counter,
): number | undefined {
  if (!measured?.usage) return undefined
  let before = estimatedTokens(0)
  let since = estimatedTokens(0)
  for (const item of items) {
    const entry = item.type === 'message' ? entryAt(log, item.seq) : undefined
    if (entry?.kind !== 'message') continue
    const tokens = counter.message(entry.message)
    if (entry.seq <= measured.seq) before = plus(before, tokens)
    else since = plus(since, tokens)
  }
  const own = toModel(counter.message(measured.message), counter.ratio)
  const reported = measured.usage.inputTokens + answerTokens(measured.usage, own)
  return reported * believable < toModel(before, counter.ratio)
    ? undefined
    : reported + toModel(since, counter.ratio)
}
