import type { Chronological } from 'throughline'

/** A real session, as the measures take it. */
export interface Session {
  /** The corpus file's name without its ending. */
  name: string
  /** The repository it comes from: the file's name up to `__`. */
  repository: string
  /** The format it was read by. */
  harness: string
  /** Working directories that paths are taken relative to, longest first. */
  directories: readonly string[]
  log: Chronological
}
