import { bringUpToDate } from './bring-up-to-date.ts'
import { StoreFailedError } from './errors.ts'
import { explained } from './explain.ts'
import { nodeSqlite } from './node-sqlite.ts'
import { openToRead } from './open-to-read.ts'
import { Statements } from './statements.ts'
import { isEmpty } from './store-file.ts'
import { checkVersion, versionOf } from './store-version.ts'
import { tryAgain } from './try-again.ts'
import type { DatabaseSync } from 'node:sqlite'
import type { Connection, ConnectionOptions } from './connection.ts'

/** A store that may be written. */
export class WritingConnection implements Connection {
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
    bringUpToDate(database, path, busyTimeout)
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
    versionOf(database, path)
  } finally {
    database.close()
  }
}
