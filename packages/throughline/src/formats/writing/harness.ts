import type { PlatformPath } from 'node:path'
import type { Format } from '../format.ts'
import type { FormatWriter } from './format-writer.ts'

/** A harness that takes back a session which we wrote: what it is called, reads, and where. */
export interface Harness extends SessionPlace {
  /** The name of its format: `claude-code`, … */
  name: string
  /** What stands before a session's id where those of several harnesses are named: `claude`. */
  prefix: string
  format: Format
  writer: FormatWriter
}

/**
 * Where a harness keeps its sessions and how it takes one back: pure functions, which read no
 * file and no environment of their own. One small file each.
 */
export interface SessionPlace {
  /**
   * The absolute folders that hold its sessions, the one for new ones first; none where they are
   * not in files, or where no home is known.
   */
  roots: (surroundings: Surroundings) => readonly string[]
  /**
   * The id of the session that a file is, or its beginning where its name tells no more; none if
   * it is no session. By its path below a root, with `/` between its names.
   */
  sessionIn: (relativePath: string) => string | undefined
  /**
   * Where a new session goes: its path below the first root, with `/` between its names. None
   * where the harness takes it from any file.
   */
  placeFor: (session: PlacedSession) => string | undefined
  /** The commands, one after the other, that go on from a written session. */
  resume: (written: ResumedSession) => readonly (readonly string[])[]
}

/** Of the world, what decides where sessions are. */
export interface Surroundings {
  /** The variables of the environment. */
  variables: Readonly<Record<string, string | undefined>>
  /** The user's home folder, where one is known. */
  home: string | undefined
  /** The rules for paths on this system. */
  path: PlatformPath
}

export interface PlacedSession {
  /** The id of the session: `WrittenFile.session`. */
  session: string
  /** The absolute path of the folder in which it goes on. */
  directory: string
  /** Milliseconds since 1970. */
  now: number
}

export interface ResumedSession {
  /** The id of the session: `WrittenFile.session`. */
  session: string
  /** The absolute path of its file. */
  file: string
}
