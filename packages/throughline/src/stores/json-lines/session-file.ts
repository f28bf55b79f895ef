import { crc32 } from 'node:zlib'
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { encodeEntry } from '../sqlite/payload.ts'
import { fieldsOf, listOf } from '../../json/fields.ts'
import { frozenCopy } from '../memory.ts'
import { StoreFailedError } from '../sqlite/errors.ts'
import { tag, untagged } from '../sqlite/tagged.ts'
import type { Entry, EntryDraft, Seq } from '../../log/entry.ts'

/** What a session's file holds, as far as it was acknowledged. */
export interface SessionFile {
  session: string
  /** Another one each time that the file is written anew. */
  edition: string
  /** Whether every line says what it was written as. Files of older versions don't. */
  isSealed: boolean
  entries: Entry[]
  /** The number of the newest writing. */
  writing: number
  /** Where the last whole line ends. What stands behind it was never acknowledged. */
  end: number
}

const version = 1

/**
 * Reads a file, or what was added to it since it was `known`. A line is one append: it is there
 * whole, or it does not count.
 * @throws StoreFailedError `damaged-line` if a whole line is not what it should be.
 */
export function readSessionFile(path: string, known?: SessionFile): SessionFile | undefined {
  for (;;) {
    const file = opened(path)
    if (file === undefined) return undefined
    try {
      const { size, ino } = fstatSync(file)
      const isSame =
        known !== undefined && known.end <= size && editionIn(file, size) === known.edition
      const from = isSame ? known.end : 0
      const bytes = bytesOf(file, from, size)
      // Another process has written the file anew, and may have zeroed these bytes by now.
      if (statSync(path, { throwIfNoEntry: false })?.ino !== ino) continue
      return withLines(isSame ? known : undefined, bytes, from, path)
    } finally {
      closeSync(file)
    }
  }
}

function withLines(
  known: SessionFile | undefined,
  bytes: Buffer,
  from: number,
  path: string,
): SessionFile | undefined {
  let found = known
  let start = 0
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    const text = bytes.toString('utf8', start, end)
    start = end + 1
    if (found) addLine(found, text, path)
    else found = begun(text, path)
    found.end = from + start
  }
  return found
}

function opened(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function bytesOf(file: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(to - from)
  let read = 0
  while (read < bytes.length) {
    const count = readSync(file, bytes, read, bytes.length - read, from + read)
    if (count === 0) break
    read += count
  }
  return bytes.subarray(0, read)
}

// The first line is short, but for the name of the session.
const firstRead = 4_096

function editionIn(file: number, size: number): string | undefined {
  const start = bytesOf(file, 0, Math.min(size, firstRead)).toString('utf8')
  return /^\{"throughline":\d+,"edition":"([0-9a-f]+)"/.exec(start)?.[1]
}

function begun(text: string, path: string): SessionFile {
  const fields = fieldsOf(parsed(text, path))
  const [session, edition] = [fields?.['session'], fields?.['edition']]
  if (fields?.['throughline'] !== version || typeof session !== 'string') throw damaged(path)
  const sealed = firstLine(session, String(edition))
  const isSealed = text === sealed
  if (!isSealed && text !== sealed.replace(firstSeal, '')) throw damaged(path)
  return { session, edition: String(edition), isSealed, entries: [], writing: 0, end: 0 }
}

function addLine(found: SessionFile, text: string, path: string): void {
  const checksum = lineSeal.exec(text)
  if (checksum ? sealOf(found.session, text) !== checksum[0] : found.isSealed) throw damaged(path)
  const line = fieldsOf(parsed(text, path))
  const drafts = listOf(line?.['entries'])
  const writing = line?.['writing']
  if (typeof writing !== 'number' || drafts.length === 0) throw damaged(path)
  // Lines in another order than they were written were moved. Older files don't say where one begins.
  const begins = line?.['from'] ?? found.entries.length + 1
  if (writing < found.writing || begins !== found.entries.length + 1) throw damaged(path)
  const plain = !text.includes(`"${tag}"`)
  for (const draft of drafts) {
    const entry = (plain ? draft : untagged(draft)) as EntryDraft
    if (typeof entry?.kind !== 'string') throw damaged(path)
    found.entries.push(frozenCopy({ ...entry, seq: found.entries.length + 1 }))
  }
  found.writing = writing
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw damaged(path, cause)
  }
}

function damaged(file: string, cause?: unknown): StoreFailedError {
  return new StoreFailedError({ file, failure: 'damaged-line', cause })
}

/** The line of one append to a session, whose first entry gets the seq `from`. */
export function lineOf(
  session: string,
  drafts: readonly EntryDraft[],
  from: Seq,
  writing: number,
): string {
  const line = `{"writing":${writing},"from":${from},"entries":[${drafts.map(encodeEntry).join(',')}]}`
  return `${sealOf(session, line)}${line.slice(1)}\n`
}

// A line is known again by a checksum of all that follows it, and of the session that it is of.
const lineSeal = /^\{"checksum":\d+,/
const firstSeal = /,"checksum":\d+(?=\}$)/

function sealOf(session: string, line: string): string {
  const rest = line.replace(lineSeal, '{')
  return `{"checksum":${crc32(rest, crc32(session))},`
}

function firstLine(session: string, edition: string): string {
  const start = `"throughline":${version},"edition":"${edition}","session":${JSON.stringify(session)}`
  return `{${start},"checksum":${crc32(start)}}`
}

export interface Durability {
  /** Whether a write must have reached the disk before it is acknowledged. */
  sync: boolean
}

/**
 * Adds a line behind the last whole one, what was torn off there goes. A write that fails leaves
 * the file as it was.
 */
export function addToFile(path: string, end: number, line: string, { sync }: Durability): void {
  const file = openSync(path, 'r+')
  try {
    if (fstatSync(file).size !== end) ftruncateSync(file, end)
    try {
      write(file, Buffer.from(line), end)
      if (sync) fsyncSync(file)
    } catch (error) {
      ftruncateSync(file, end)
      throw error
    }
  } finally {
    closeSync(file)
  }
}

/**
 * Writes a file anew, in one step: whoever reads it finds the old or the new one. Of the old one, no
 * byte stays.
 */
export function writeAnew(
  path: string,
  session: string,
  lines: readonly string[],
  { sync }: Durability,
): void {
  const made = `${path}.new`
  const edition = randomBytes(8).toString('hex')
  const file = openSync(made, 'w', 0o600)
  try {
    let at = 0
    for (const line of [`${firstLine(session, edition)}\n`, ...lines])
      at += write(file, Buffer.from(line), at)
    if (sync) fsyncSync(file)
  } catch (error) {
    rmSync(made, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
  replaceBy(path, () => renameSync(made, path))
}

/** Removes a file and what it held. */
export function removeFile(path: string): void {
  replaceBy(path, () => rmSync(path, { force: true }))
}

/** The bytes of a file are overwritten when nobody can find them any more. */
function replaceBy(path: string, replace: () => void): void {
  let old: number | undefined
  try {
    old = openSync(path, 'r+')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  try {
    replace()
    if (old === undefined) return
    const { size } = fstatSync(old)
    const zeros = Buffer.alloc(Math.min(size, 1_048_576))
    for (let at = 0; at < size; at += zeros.length) {
      write(old, zeros.subarray(0, Math.min(zeros.length, size - at)), at)
    }
    fsyncSync(old)
  } finally {
    if (old !== undefined) closeSync(old)
  }
}

function write(file: number, bytes: Buffer, at: number): number {
  let written = 0
  while (written < bytes.length) {
    written += writeSync(file, bytes, written, bytes.length - written, at + written)
  }
  return written
}
