import { StoreFailedError } from './errors.ts'
import { explained } from './explain.ts'
import { openToRead } from './open-to-read.ts'
import { Statements } from './statements.ts'
import { stampOf } from './store-file.ts'
import { currentVersion, versionOf } from './store-version.ts'
import type { DatabaseSync } from 'node:sqlite'
import type { Connection } from './connection.ts'

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
    const version = versionOf(database, this.file)
    if (version === 0) throw this.#failed('read-only')
    if (version < currentVersion) throw this.#failed('outdated')
  }

  #failed(failure: 'closed' | 'read-only' | 'outdated'): StoreFailedError {
    return new StoreFailedError({ file: this.file, failure })
  }
}
