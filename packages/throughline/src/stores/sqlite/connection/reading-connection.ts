import { waiting, StoreFailedError } from '../errors.ts'
import { explained } from '../explain.ts'
import { openToRead } from './node-sqlite.ts'
import { isStore } from '../schema.ts'
import { Statements } from '../statements.ts'
import { stampOf } from './store-file.ts'
import type { DatabaseSync } from 'node:sqlite'
import type { Connection, Work } from './connection.ts'

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
    const database = this.#open()
    database.close()
  }

  async read<Result>(work: Work<Result>, signal?: AbortSignal): Promise<Result> {
    for (;;) {
      signal?.throwIfAborted()
      if (!this.#isOpen) throw this.#failed('closed')
      const stamp = this.#stamp()
      try {
        const result = await this.#once(work, signal)
        if (this.#stamp() === stamp) return result
      } catch (error) {
        if (this.#stamp() === stamp) throw error
      }
    }
  }

  look<Result>(work: (statements: Statements) => Result): Promise<Result> {
    return this.read(work)
  }

  async write(): Promise<never> {
    throw this.#failed(this.#isOpen ? 'read-only' : 'closed')
  }

  async writeMuch(): Promise<never> {
    return this.write()
  }

  async leaveNoTrace(): Promise<never> {
    return this.write()
  }

  async evenIfFull(): Promise<never> {
    return this.write()
  }

  close(): void {
    this.#isOpen = false
  }

  #stamp(): string {
    return explained(this.file, () => stampOf(this.file))
  }

  async #once<Result>(work: Work<Result>, signal: AbortSignal | undefined): Promise<Result> {
    const options = { busyTimeout: this.#busyTimeout, signal }
    const database = await waiting(options, () => this.#open())
    try {
      return await work(new Statements(database, this.file))
    } finally {
      database.close()
    }
  }

  #open(): DatabaseSync {
    return explained(this.file, () => {
      const database = openToRead(this.file)
      try {
        database.exec('BEGIN')
        if (!isStore(database, this.file)) throw this.#failed('read-only')
        return database
      } catch (error) {
        database.close()
        throw error
      }
    })
  }

  #failed(failure: 'closed' | 'read-only'): StoreFailedError {
    return new StoreFailedError({ file: this.file, failure })
  }
}
