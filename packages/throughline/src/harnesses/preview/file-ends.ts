import { open, type FileHandle } from 'node:fs/promises'
import { startsDocument } from '../../formats/reading/json-document.ts'
import { readSession } from '../../formats/reading/read-session.ts'
import { recordsOf } from '../../formats/reading/records.ts'
import { chronological } from '../../log/order.ts'
import type { Format } from '../../formats/format.ts'
import type { Entry } from '../../log/entry.ts'
import type { FileSession } from '../found-session.ts'
import type { SessionEnds, Stretch } from './session-ends.ts'
import { fieldsOf, nameOf, type Fields } from '../../json/fields.ts'

const kilobyte = 1024
// Most sessions begin with the human's request; Copilot's and Codex's begin with the system prompt.
const firstLengths = [64 * kilobyte, 1024 * kilobyte]
// The newest usage follows the newest outputs.
const lastLength = 256 * kilobyte
// A JSON document has no end that can be read separately.
const longestDocument = 8 * 1024 * kilobyte

/** Reads at most this much of a file: its beginning and its end. */
export async function fileEnds({ file, harness }: FileSession): Promise<SessionEnds> {
  const handle = await open(file, 'r')
  try {
    const { size } = await handle.stat()
    const { format } = harness
    const [least = 0] = firstLengths
    if (size <= least + lastLength) return await whole(handle, size, format)
    const head = await bytesAt(handle, 0, least)
    if (startsDocument(head) && size <= longestDocument) return await whole(handle, size, format)
    const first = await firstStretch(handle, head, format)
    const last = await lastStretch(await bytesAt(handle, size - lastLength, lastLength), format)
    return { first, last, scale: size / lastLength, bytes: size }
  } finally {
    await handle.close()
  }
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
