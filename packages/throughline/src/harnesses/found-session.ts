import type { Harness } from '../formats/writing/harness.ts'

/** A session in its harness's own storage. */
export type FoundSession = FileSession | DatabaseSession | StorageSession

interface Found {
  harness: Harness
  /**
   * The id by which its harness knows it, or the beginning of the id if the file name has no more.
   */
  id: string
  /** When it was last modified, in milliseconds since 1970. */
  at: number
}

export interface FileSession extends Found {
  type: 'file'
  /** The absolute path of its file. */
  file: string
  bytes: number
}

/** From opencode. */
export interface DatabaseSession extends Found {
  type: 'database'
  /** The absolute path of the database. */
  file: string
}

/** From opencode before 1.2, which kept each message and part in its own file. */
export interface StorageSession extends Found {
  type: 'storage'
  /** The absolute path of the session's own file. */
  file: string
  /** The absolute path of the folder that holds all sessions, messages and parts. */
  root: string
}

/** A folder, a file or a database that couldn't be read. */
export interface Unreadable {
  file: string
  reason: string
}
