import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'
import {
  readdirSync,
  linkSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import {
  addToFile,
  lineOf,
  readSessionFile,
  removeFile,
  writeAnew,
  type SessionFile,
} from './session-file.ts'
import { candidates, checkCondition } from '../condition.ts'
import { matchingSeqs } from '../matches.ts'
import { makeFolders } from '../sqlite/connection/store-file.ts'
import { selected } from '../memory.ts'
import { StoreFailedError, waiting, type StoreFailure } from '../sqlite/errors.ts'
import type { Store, StoredSession } from '../../session/store.ts'
import { hostname } from 'node:os'

/** Where a store of JSON lines is, and how durable its writes are. */
export interface JsonLinesStoreOptions {
  /** A folder of its own; it is created if it doesn't exist. */
  directory: string
  /** `full` also survives a power loss; `normal`, the default, survives any end of the process. */
  synchronous?: 'normal' | 'full'
  /** How long to wait for another process that is writing, in milliseconds; 5,000 by default. */
  busyTimeout?: number
}

// So many sessions are held in memory as they were last read.
const mostHeld = 4

/**
 * Sessions as files of JSON lines, for runtimes without SQLite. Any number of processes on one
 * machine may use it: they write one after the other, and a writer that was killed is not waited
 * for. A line is one append. An entry that `append` has returned survives any end of the process; a
 * line that was torn off when a process was killed was never acknowledged, and does not count.
 *
 * It reads a whole session at a time: where there is SQLite, use that.
 * @throws an error of the file system if the folder can't be made.
 * @example
 * const store = jsonLinesStore({ directory: 'sessions' })
 * const session = await openSession({ store, id: 'a', window: { context: 200_000 } })
 */
export function jsonLinesStore({
  directory,
  synchronous = 'normal',
  busyTimeout = 5_000,
}: JsonLinesStoreOptions): Store {
  const folder = resolve(directory)
  makeFolders(folder)
  const durability = { sync: synchronous === 'full' }
  const held = new Map<string, SessionFile>()

  function fileOf(session: string): string {
    // As bytes, all halves of a character are the same.
    const name = session.isWellFormed() ? session : JSON.stringify(session)
    return join(folder, `${createHash('sha256').update(name).digest('hex').slice(0, 40)}.jsonl`)
  }

  /** @throws StoreFailedError `damaged-line` also where it is the file of another session. */
  function readFile(path: string, known?: SessionFile): SessionFile | undefined {
    const file = readSessionFile(path, known)
    if (file === undefined || fileOf(file.session) === path) return file
    const cause = new Error('it is the file of another session')
    throw new StoreFailedError({ file: path, failure: 'damaged-line', cause })
  }

  function found(path: string): SessionFile | undefined {
    const known = held.get(path)
    held.delete(path)
    const file = readFile(path, known)
    if (file) held.set(path, file)
    for (const oldest of held.keys()) {
      if (held.size <= mostHeld) break
      held.delete(oldest)
    }
    return file
  }

  function writing<Result>(
    signal: AbortSignal | undefined,
    work: (writing: number) => Result,
  ): Promise<Result> {
    return waiting({ busyTimeout, signal }, () => {
      try {
        return alone(folder, work)
      } catch (cause) {
        throw storeFailure(folder, cause)
      }
    })
  }

  return {
    append: (session, drafts, condition, { signal } = {}) =>
      writing(signal, (number) => {
        const path = fileOf(session)
        const known = found(path)
        checkCondition(session, stateOf(known), condition)
        if (drafts.length === 0) return []
        const line = lineOf(session, drafts, (known?.entries.length ?? 0) + 1, number)
        if (known) addToFile(path, known.end, line, durability)
        else writeAnew(path, session, [line], durability)
        const { entries = [] } = found(path) ?? {}
        return entries.slice(entries.length - drafts.length)
      }),
    read: async (session, selection = {}, { signal } = {}) => {
      signal?.throwIfAborted()
      return selected(found(fileOf(session))?.entries ?? [], selection)
    },
    search: async (session, search, { signal } = {}) => {
      signal?.throwIfAborted()
      return matchingSeqs(found(fileOf(session))?.entries ?? [], search, signal)
    },
    sessions: async ({ signal } = {}) => {
      const all = readdirSync(folder).flatMap((name) => {
        signal?.throwIfAborted()
        const file = name.endsWith('.jsonl') ? readFile(join(folder, name)) : undefined
        return file && file.entries.length > 0 ? [file] : []
      })
      return all.sort((one, other) => other.writing - one.writing).map(listed)
    },
    redact: (session, { change, note, known, condition }, { signal } = {}) =>
      writing(signal, (number) => {
        const path = fileOf(session)
        const file = found(path)
        checkCondition(session, stateOf(file), condition)
        const mayChange = candidates(known)
        const { entries = [] } = file ?? {}
        const changed = entries.map((entry) => (mayChange(entry.seq) ? change(entry) : undefined))
        const seqs = entries.flatMap(({ seq }, index) => (changed[index] ? [seq] : []))
        if (seqs.length === 0) return undefined
        const drafts = [...entries.map((entry, index) => changed[index] ?? entry), note(seqs)]
        const lines = drafts.map(({ ...draft }, index) => {
          Reflect.deleteProperty(draft, 'seq')
          return lineOf(session, [draft], index + 1, number)
        })
        writeAnew(path, session, lines, durability)
        return found(path)?.entries.at(-1)
      }),
    remove: (session) =>
      writing(undefined, () => {
        const path = fileOf(session)
        held.delete(path)
        removeFile(path)
      }),
  }
}

const failures: Readonly<Record<string, StoreFailure>> = {
  EROFS: 'read-only',
  EACCES: 'read-only',
  EPERM: 'read-only',
  ENOSPC: 'full',
  EDQUOT: 'full',
}

/** What the file system says, as every store says it. */
function storeFailure(folder: string, cause: unknown): unknown {
  const failure = failures[String((cause as NodeJS.ErrnoException | undefined)?.code)]
  return failure ? new StoreFailedError({ file: folder, failure, cause }) : cause
}

function stateOf(file: SessionFile | undefined) {
  const entries = file?.entries ?? []
  return { newest: entries.length, atOf: (seq: number) => entries[seq - 1]?.at }
}

function listed({ session: id, entries }: SessionFile): StoredSession {
  return { id, newest: entries.length, at: entries.at(-1)?.at ?? 0 }
}

// `lock-7` is the seventh writing. The highest one says who writes; it is only removed when there is
// a higher one, so whoever comes late with a lower number sees that he is late.
const prefix = 'lock-'
const free = 'free'

/**
 * Writes alone: no other process or thread is in `work` at the same time. `work` is told the number
 * of this writing, which is higher than any before. A writer that was killed is not waited for.
 * @throws StoreFailedError `busy` where another is writing.
 */
function alone<Result>(directory: string, work: (writing: number) => Result): Result {
  const before = newestLock(directory)
  if (before > 0 && isHeld(join(directory, prefix + before))) throw busy(directory)
  const writing = before + 1
  const file = join(directory, prefix + writing)
  if (!take(file) || newestLock(directory) !== writing) throw busy(directory)
  try {
    for (const older of locksIn(directory)) {
      if (older < writing) rmSync(join(directory, prefix + older), { force: true })
    }
    return work(writing)
  } finally {
    writeFileSync(file, free)
  }
}

function busy(directory: string): StoreFailedError {
  return new StoreFailedError({ file: directory, failure: 'busy' })
}

/** The file exists with its content, or not at all. */
function take(file: string): boolean {
  const own = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`
  writeFileSync(own, `${process.pid} ${hostname()}`, { mode: 0o600 })
  try {
    linkSync(own, file)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    unlinkSync(own)
  }
}

function locksIn(directory: string): number[] {
  return readdirSync(directory).flatMap((name) => {
    const [, number] = /^lock-(\d{1,15})$/.exec(name) ?? []
    return number === undefined ? [] : [Number(number)]
  })
}

function newestLock(directory: string): number {
  return Math.max(0, ...locksIn(directory))
}

function isHeld(file: string): boolean {
  let said: string
  let written: number
  try {
    said = readFileSync(file, 'utf8')
    written = statSync(file).mtimeMs
  } catch (error) {
    // A higher one has taken its place.
    if (codeOf(error) === 'ENOENT') return true
    throw error
  }
  if (said === free) return false
  const [pid, host] = said.split(' ')
  // Of another machine, or where the bytes are damaged, nobody here knows whether the writer lives.
  if (host !== hostname()) return Date.now() - written < longestWriting
  // In a container, every process has the same number.
  if (Number(pid) === process.pid) return written >= startedAt
  return isAlive(Number(pid))
}

// A writing takes milliseconds, and clocks of two machines differ by less.
const longestWriting = 10 * 60_000

// Clocks of file systems are not exact.
const startedAt = Date.now() - process.uptime() * 1000 - 2_000

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
