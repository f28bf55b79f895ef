import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'
import { readdirSync } from 'node:fs'
import {
  addToFile,
  lineOf,
  readSessionFile,
  removeFile,
  writeAnew,
  type SessionFile,
} from './session-file.ts'
import { alone } from './lock.ts'
import { candidates, checkCondition } from '../condition.ts'
import { matchingSeqs } from '../matches.ts'
import { makeFolders } from '../sqlite/connection/store-file.ts'
import { selected } from '../memory.ts'
import { StoreFailedError, waiting, type StoreFailure } from '../sqlite/errors.ts'
import type { Store, StoredSession } from '../../session/store.ts'

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
