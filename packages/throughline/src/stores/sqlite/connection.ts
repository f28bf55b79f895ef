import { explained } from './explain.ts'
import { ReadingConnection } from './reading-connection.ts'
import { isWritable, storeFile } from './store-file.ts'
import { WritingConnection } from './writing-connection.ts'
import type { Statements } from './statements.ts'

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
