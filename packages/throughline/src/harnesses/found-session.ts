import type { Harness } from '../formats/writing/harness.ts'

/** A session where its harness keeps it. */
export type FoundSession = FileSession | DatabaseSession | StorageSession

interface Found {
  harness: Harness
  /** The id by which its harness knows it, or the beginning of it where a file's name tells no more. */
  id: string
  /** When it was last written, in milliseconds since 1970. */
  at: number
}

export interface FileSession extends Found {
  type: 'file'
  /** The absolute path of its file. */
  file: string
  bytes: number
}

/** Of opencode. */
export interface DatabaseSession extends Found {
  type: 'database'
  /** The absolute path of the database. */
  file: string
}

/** Of opencode before 1.2, which kept each message and part in a file of its own. */
export interface StorageSession extends Found {
  type: 'storage'
  /** The absolute path of the file that tells of the session. */
  file: string
  /** The absolute path of the folder that holds all sessions, messages and parts. */
  root: string
}

/** A folder, a file or a database that could not be looked into. */
export interface Unreadable {
  file: string
  reason: string
}
