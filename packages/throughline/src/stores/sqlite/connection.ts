import { explained } from './explain.ts'
import { isWritable, storeFile, stampOf, isEmpty } from './store-file.ts'
import { Statements } from './statements.ts'
import { StoreFailedError } from './errors.ts'
import { openToRead, nodeSqlite } from './node-sqlite.ts'
import { checkVersion, isStore, makeStore } from './schema.ts'
import type { DatabaseSync } from 'node:sqlite'
import { tryAgain } from './busy.ts'

/** How a store is opened. */
export interface ConnectionOptions {
  /** `full` survives a power loss; `normal` every crash of the process, and is six times as fast. */
  synchronous: 'normal' | 'full'
  /** Milliseconds to wait for another process that writes. */
  busyTimeout: number
}

/** The database of a store; whatever is done with it is done in a transaction. */
export interface Connection {
  readonly file: string
  readonly isWritable: boolean
  /** The store as it is at one moment. */
  read: <Result>(work: (statements: Statements) => Result) => Result
  /** All of the work or nothing, and nobody else's writing in between. */
  write: <Result>(work: (statements: Statements) => Result) => Result
  /**
   * Empties the write-ahead log, in which old pages stand until then.
   * @throws StoreFailedError if somebody has been reading from it all the while.
   */
  leaveNoTrace: () => void
  close: () => void
}

/**
 * Opens the file of a store, or makes it; one that may only be read is opened for reading.
 * @throws NotAStoreError, StoreVersionError, StoreFailedError, SqliteMissingError
 */
export function connect(file: string, options: ConnectionOptions): Connection {
  const path = explained(file, () => storeFile(file))
  return isWritable(path)
    ? new WritingConnection(path, options)
    : new ReadingConnection(path, options.busyTimeout)
}

/**
 * A store that may only be read. Its file cannot be locked, and others may write to it: it is
 * opened for each reading, and read again if it was changed meanwhile.
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

/** A store that may be written. */
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
      // A newer Throughline may have changed what the tables mean since this store was opened.
      checkVersion(Number(statements.get('PRAGMA user_version')?.['user_version']), this.file)
      return work(statements)
    })
  }

  leaveNoTrace(): void {
    // SQLite waits for readers, and not for somebody else who is emptying the log.
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

  /** Many errors of SQLite have rolled back by themselves. */
  #rollBack(): void {
    if (this.#database.isOpen && this.#database.isTransaction) this.#statements.run('ROLLBACK')
  }
}

function openToWrite(path: string, { synchronous, busyTimeout }: ConnectionOptions): DatabaseSync {
  if (!isEmpty(path)) lookAt(path, busyTimeout)
  const { DatabaseSync } = nodeSqlite()
  const database = new DatabaseSync(path)
  try {
    // Freed pages are zeroed, so that what was deleted is gone, and nothing is sorted in files.
    // A file may come from anywhere: what it says of itself is not trusted.
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

/** What is no store of ours stays as it is, byte for byte: it is looked at before it is opened. */
function lookAt(path: string, busyTimeout: number): void {
  const database = openToRead(path, busyTimeout)
  try {
    isStore(database, path)
  } finally {
    database.close()
  }
}
