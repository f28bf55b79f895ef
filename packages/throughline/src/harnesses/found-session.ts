import type { Harness } from '../formats/harness.ts'

/** A session where its harness keeps it. */
export type FoundSession = FileSession | DatabaseSession

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

/** A folder, a file or a database that could not be looked into. */
export interface Unreadable {
  file: string
  reason: string
}
