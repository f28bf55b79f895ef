import { explained } from './explain.ts'
import { isWritable, storeFile, stampOf, isEmpty } from './store-file.ts'
import { Statements } from './statements.ts'
import { StoreFailedError } from './errors.ts'
import { openToRead, nodeSqlite } from './node-sqlite.ts'
import { checkVersion, isStore, makeStore } from './schema.ts'
import type { DatabaseSync } from 'node:sqlite'
import { tryAgain } from './busy.ts'

/** Options for opening a store. */
export interface ConnectionOptions {
  /**
   * `full` survives a power loss; `normal` survives any crash of the process and is six times as
   * fast.
   */
  synchronous: 'normal' | 'full'
  /** Milliseconds to wait for another process that is writing. */
  busyTimeout: number
}

/** The database of a store. Everything is done in transactions. */
export interface Connection {
  readonly file: string
  readonly isWritable: boolean
  /** Reads the store as it is at one moment. */
  read: <Result>(work: (statements: Statements) => Result) => Result
  /** All of the work or none of it, with no other writes in between. */
  write: <Result>(work: (statements: Statements) => Result) => Result
  /**
   * Empties the write-ahead log, which holds old pages until then.
   * @throws StoreFailedError if another process was reading from it the whole time.
   */
  leaveNoTrace: () => void
  close: () => void
}

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

/**
 * A read-only store. Its file can't be locked, and others may write to it, so it is opened for each
 * read, and read again if it changed in the meantime.
 */
export class ReadingConnection implements Connection {
  readonly isWritable = false
  readonly file: string
  readonly #busyTimeout: number
  #isOpen = true

  constructor(path: string, busyTimeout: number) {
    this.file = path
    this.#busyTimeout = busyTimeout
    this.read(() => undefined)
  }

  read<Result>(work: (statements: Statements) => Result): Result {
    if (!this.#isOpen) throw this.#failed('closed')
    for (;;) {
      const stamp = this.#stamp()
      try {
        const result = this.#once(work)
        if (this.#stamp() === stamp) return result
      } catch (error) {
        if (this.#stamp() === stamp) throw error
      }
    }
  }

  write(): never {
    throw this.#failed(this.#isOpen ? 'read-only' : 'closed')
  }

  leaveNoTrace(): never {
    return this.write()
  }

  close(): void {
    this.#isOpen = false
  }

  #stamp(): string {
    return explained(this.file, () => stampOf(this.file))
  }

  #once<Result>(work: (statements: Statements) => Result): Result {
    const database = explained(this.file, () => openToRead(this.file, this.#busyTimeout))
    try {
      explained(this.file, () => this.#begin(database))
      return work(new Statements(database, this.file))
    } finally {
      database.close()
    }
  }

  #begin(database: DatabaseSync): void {
    database.exec('BEGIN')
    if (!isStore(database, this.file)) throw this.#failed('read-only')
  }

  #failed(failure: 'closed' | 'read-only'): StoreFailedError {
    return new StoreFailedError({ file: this.file, failure })
  }
}

/** A store that can be written. */
class WritingConnection implements Connection {
  readonly isWritable = true
  readonly file: string
  readonly #database: DatabaseSync
  readonly #statements: Statements
  readonly #busyTimeout: number

  constructor(path: string, options: ConnectionOptions) {
    this.file = path
    this.#busyTimeout = options.busyTimeout
    this.#database = explained(path, () => openToWrite(path, options))
    this.#statements = new Statements(this.#database, path)
  }

  read<Result>(work: (statements: Statements) => Result): Result {
    return this.#database.isOpen && this.#database.isTransaction
      ? work(this.#statements)
      : this.#transaction('BEGIN', work)
  }

  write<Result>(work: (statements: Statements) => Result): Result {
    return this.#transaction('BEGIN IMMEDIATE', (statements) => {
      // A newer Throughline may have changed the meaning of the tables since this store was opened.
      checkVersion(Number(statements.get('PRAGMA user_version')?.['user_version']), this.file)
      return work(statements)
    })
  }

  leaveNoTrace(): void {
    // SQLite waits for readers, but not for another process that is emptying the log.
    const done = tryAgain(this.#busyTimeout, () => {
      const result = this.#statements.get('PRAGMA wal_checkpoint(TRUNCATE)')
      return Number(result?.['busy']) === 0
    })
    if (!done) throw new StoreFailedError({ file: this.file, failure: 'log-in-use' })
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close()
  }

  #transaction<Result>(begin: string, work: (statements: Statements) => Result): Result {
    this.#statements.run(begin)
    try {
      const result = work(this.#statements)
      this.#statements.run('COMMIT')
      return result
    } catch (error) {
      this.#rollBack()
      throw error
    }
  }

  /** After many errors, SQLite has already rolled back by itself. */
  #rollBack(): void {
    if (this.#database.isOpen && this.#database.isTransaction) this.#statements.run('ROLLBACK')
  }
}

function openToWrite(path: string, { synchronous, busyTimeout }: ConnectionOptions): DatabaseSync {
  if (!isEmpty(path)) lookAt(path, busyTimeout)
  const { DatabaseSync } = nodeSqlite()
  const database = new DatabaseSync(path)
  try {
    // Freed pages are zeroed, so that deleted text is gone, and nothing is sorted in temporary
    // files. A file may come from anywhere, so what it says about itself is not trusted.
    database.exec(`PRAGMA busy_timeout = ${Math.floor(busyTimeout)};
      PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY;
      PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;
      PRAGMA synchronous = ${synchronous}`)
    makeStore(database, path, busyTimeout)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * A file that isn't our store stays unchanged, byte for byte: it is checked before it is opened.
 */
function lookAt(path: string, busyTimeout: number): void {
  const database = openToRead(path, busyTimeout)
  try {
    isStore(database, path)
  } finally {
    database.close()
  }
}
