import { waiting, StoreFailedError } from '../errors.ts'
import { explained } from '../explain.ts'
import { openToRead } from './node-sqlite.ts'
import { isStore } from '../schema.ts'
import { Statements } from '../statements.ts'
import { stampOf } from './store-file.ts'
import type { DatabaseSync } from 'node:sqlite'

/**
 * The database of a store. Everything is done in transactions, one after the other. Waiting for
 * another process takes no time of this one.
 */
export interface Connection {
  readonly file: string
  readonly isWritable: boolean
  /** Reads the store as it is at one moment. */
  read: <Result>(work: Work<Result>, signal?: AbortSignal) => Promise<Result>
  /** The same for one statement: at once, where nothing else is being done. */
  look: <Result>(work: (statements: Statements) => Result) => Promise<Result>
  /** All of the work or none of it, with no other writes in between. */
  write: <Result>(work: Work<Result>, signal?: AbortSignal) => Promise<Result>
  /** The same for work that may write much. */
  writeMuch: <Result>(work: Work<Result>, signal?: AbortSignal) => Promise<Result>
  /**
   * Empties the write-ahead log, which holds old pages until then.
   * @throws StoreFailedError if another process was reading from it the whole time.
   */
  leaveNoTrace: () => Promise<void>
  /**
   * Does work that makes room or takes something away, also where the disk is full: what is kept
   * in reserve for this is used then, and little is written at a time.
   */
  evenIfFull: <Result>(work: (isFull: boolean) => Promise<Result>) => Promise<Result>
  close: () => void
}

/** Work in a transaction. It may pause: nothing else is done with the connection until it ends. */
export type Work<Result> = (statements: Statements) => Result | Promise<Result>

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
