import { ReadingConnection, type Connection, type Work } from './reading-connection.ts'
import { explained } from '../explain.ts'
import {
  hasLog,
  hasSpare,
  isWritable,
  keepSpare,
  releaseSpare,
  storeFile,
  isEmpty,
  logSize,
  stampOf,
} from './store-file.ts'
import { Statements } from '../statements.ts'
import { StoreFailedError, isBusy, waiting } from '../errors.ts'
import { openToRead, nodeSqlite } from './node-sqlite.ts'
import { checkVersion, isStore, makeStore } from '../schema.ts'
import { oneAtATime } from '../../../session/compacting/one-at-a-time.ts'
import { Worker } from 'node:worker_threads'
import type { DatabaseSync } from 'node:sqlite'

// SQLite copies all of its write-ahead log into the file at once. This much takes no time to speak
// of; more is copied by another thread.
const much = 2_097_152

const code = `const { workerData } = require('node:worker_threads')
  const { DatabaseSync } = require('node:sqlite')
  const database = new DatabaseSync(workerData)
  database.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(PASSIVE)')
  database.close()`

/**
 * Copies a large write-ahead log into its file without stopping this thread. If that isn't possible
 * here, the next who writes does it.
 */
async function copyLog(file: string): Promise<void> {
  if ('bun' in process.versions || logSize(file) < much) return
  await new Promise<void>((resolve) => {
    // What it says of experimental features is for nobody.
    const worker = new Worker(code, { eval: true, workerData: file, stderr: true })
    worker.on('error', () => resolve())
    worker.on('exit', () => resolve())
  })
}

export interface ConnectionOptions {
  /**
   * `full` survives a power loss; `normal` survives any crash of the process and is six times as
   * fast.
   */
  synchronous: 'normal' | 'full'
  /** Milliseconds to wait for another process that is writing. */
  busyTimeout: number
}

// Two megabytes. Emptying the log makes the disk write, which is most of the time of an append: half
// as large a log makes appends take half as long again. On a full disk, the reserve has room for it.
const pagesOfLog = 512

/**
 * Opens or creates the file of a store; a read-only file is opened for reading.
 * @throws NotAStoreError, StoreVersionError, StoreFailedError, SqliteMissingError
 */
export function connect(file: string, options: ConnectionOptions): Connection {
  const path = explained(file, () => storeFile(file))
  return isWritable(path)
    ? new WritingConnection(path, options)
    : new ReadingConnection(path, options.busyTimeout)
}

/** A store that can be written. */
class WritingConnection implements Connection {
  readonly isWritable = true
  readonly file: string
  readonly #options: ConnectionOptions
  readonly #inTurn = oneAtATime()
  /** None as long as another process holds the file while it makes the store. */
  #database: DatabaseSync | undefined
  #statements: Statements | undefined
  #isOpen = true

  constructor(path: string, options: ConnectionOptions) {
    this.file = path
    this.#options = options
    try {
      this.#open()
    } catch (error) {
      // The first who works with it waits.
      if (!isBusyFailure(error)) throw error
    }
  }

  async read<Result>(work: Work<Result>, signal?: AbortSignal): Promise<Result> {
    return this.#inTurn(() => this.#transaction('BEGIN', work, signal))
  }

  async look<Result>(work: (statements: Statements) => Result): Promise<Result> {
    // In a transaction, it would see what is not committed.
    if (this.#statements && this.#database?.isOpen && !this.#database.isTransaction) {
      try {
        return work(this.#statements)
      } catch (error) {
        if (!isBusyFailure(error)) throw error
      }
    }
    return this.read(work)
  }

  async write<Result>(work: Work<Result>, signal?: AbortSignal): Promise<Result> {
    return this.#inTurn(() => this.#writeNow(work, signal))
  }

  async writeMuch<Result>(work: Work<Result>, signal?: AbortSignal): Promise<Result> {
    return this.#inTurn(async () => {
      // SQLite would copy the log into the file when the work is committed.
      const all = await waiting({ ...this.#options, signal }, () => this.#open())
      all.run('PRAGMA wal_autocheckpoint = 0')
      try {
        return await this.#writeNow(work, signal)
      } finally {
        await copyLog(this.file)
        if (this.#isOpen) all.run(`PRAGMA wal_autocheckpoint = ${pagesOfLog}`)
      }
    })
  }

  #writeNow<Result>(work: Work<Result>, signal?: AbortSignal): Promise<Result> {
    return this.#transaction(
      'BEGIN IMMEDIATE',
      (statements) => {
        // A newer Throughline may have changed the meaning of the tables since this store was opened.
        checkVersion(Number(statements.get('PRAGMA user_version')?.['user_version']), this.file)
        return work(statements)
      },
      signal,
    )
  }

  async leaveNoTrace(): Promise<void> {
    return this.#inTurn(async () => {
      const all = this.#open()
      // SQLite doesn't wait for another process that is emptying the log, or reading from it.
      const emptied = (): boolean => {
        const result = all.get('PRAGMA wal_checkpoint(TRUNCATE)')
        if (Number(result?.['busy']) === 0) return true
        throw new StoreFailedError({ file: this.file, failure: 'log-in-use' })
      }
      await waiting(this.#options, emptied)
    })
  }

  async evenIfFull<Result>(work: (isFull: boolean) => Promise<Result>): Promise<Result> {
    try {
      return await work(false).catch((error: unknown) => {
        if (!isFull(error)) throw error
        return this.#withSpare(work)
      })
    } finally {
      keepSpare(this.file, 0)
    }
  }

  /** What the log takes may be enough. If not, there is the reserve. */
  async #withSpare<Result>(work: (isFull: boolean) => Promise<Result>): Promise<Result> {
    await this.leaveNoTrace().catch(() => undefined)
    releaseSpare(this.file)
    // With the reserve, the log may be copied into the file, which gives back all that it takes.
    await this.leaveNoTrace().catch(() => undefined)
    try {
      return await work(true)
    } catch (error) {
      // What was begun fills the log: without it there is room for the reserve, and for what is smaller.
      await this.leaveNoTrace().catch(() => undefined)
      throw error
    }
  }

  close(): void {
    this.#isOpen = false
    if (this.#database?.isOpen) this.#database.close()
  }

  /** @throws StoreFailedError, `busy` if another process holds the file. */
  #open(): Statements {
    if (!this.#isOpen) throw new StoreFailedError({ file: this.file, failure: 'closed' })
    if (this.#statements) return this.#statements
    const database = explained(this.file, () => openWithRoom(this.file, this.#options))
    this.#database = database
    this.#statements = new Statements(database, this.file)
    return this.#statements
  }

  async #transaction<Result>(
    begin: string,
    work: Work<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    const statements = await waiting({ ...this.#options, signal }, () => {
      const all = this.#open()
      all.run(begin)
      return all
    })
    try {
      const result = await work(statements)
      await waiting(this.#options, () => statements.run('COMMIT'))
      return result
    } catch (error) {
      this.#rollBack()
      throw error
    }
  }

  /** After many errors, SQLite has already rolled back by itself. */
  #rollBack(): void {
    if (this.#database?.isOpen && this.#database.isTransaction) this.#statements?.run('ROLLBACK')
  }
}

function isBusyFailure(error: unknown): boolean {
  return isBusy(error) || (StoreFailedError.isInstance(error) && error.failure === 'busy')
}

function isFull(error: unknown): boolean {
  return StoreFailedError.isInstance(error) && error.failure === 'full'
}

/** On a full disk, with the reserve: an open store has small files of its own. */
function openWithRoom(path: string, options: ConnectionOptions): DatabaseSync {
  try {
    const database = explained(path, () => openToWrite(path, options))
    keepSpare(path)
    return database
  } catch (error) {
    if (!isFull(error) || !hasSpare(path)) throw error
    releaseSpare(path)
    return openToWrite(path, options)
  }
}

function openToWrite(path: string, { synchronous }: ConnectionOptions): DatabaseSync {
  if (!isEmpty(path)) lookAt(path)
  const isLeft = hasLog(path)
  const { DatabaseSync } = nodeSqlite()
  const database = new DatabaseSync(path)
  try {
    // Freed pages are zeroed, so that deleted text is gone, and nothing is sorted in temporary
    // files. A file may come from anywhere, so what it says about itself is not trusted. Waiting
    // for others is done where it stops nobody.
    database.exec(`PRAGMA busy_timeout = 0;
      PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY;
      PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;
      PRAGMA synchronous = ${synchronous}; PRAGMA wal_autocheckpoint = ${pagesOfLog}`)
    makeStore(database, path)
    if (isLeft) emptyLog(database)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * A process that was killed leaves its log behind, with what it was about to take out of the store.
 * If others have the store open, the log is theirs; on a full disk, there is no room to empty it.
 */
function emptyLog(database: DatabaseSync): void {
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // The next redaction empties it, and says so if it can't.
  }
}

/**
 * A file that isn't our store stays unchanged, byte for byte: it is checked before it is opened.
 */
function lookAt(path: string): void {
  for (let look = 1; ; look++) {
    const before = stampOf(path)
    try {
      lookOnce(path)
      return
    } catch (error) {
      // Without a log, it was read as a file that nobody changes: somebody has changed it meanwhile.
      if (look === mostLooks || stampOf(path) === before) throw error
    }
  }
}

const mostLooks = 100

function lookOnce(path: string): void {
  const database = openToRead(path)
  try {
    isStore(database, path)
  } finally {
    database.close()
  }
}
