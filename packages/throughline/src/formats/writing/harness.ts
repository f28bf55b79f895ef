import type { posix } from 'node:path'
import type { Format } from '../format.ts'
import type { FormatWriter } from './format-writer.ts'

/** A harness that can resume a session written by us: its names, its format and its folders. */
export interface Harness extends SessionPlace {
  /** The name of its format: `claude-code`, … */
  name: string
  /** The prefix of its session ids in lists of several harnesses: `claude`. */
  prefix: string
  format: Format
  writer: FormatWriter
}

/** A format in which sessions are written too: the messages of an API. */
export interface WrittenFormat extends Format {
  writer: FormatWriter
}

/** A format of a client that goes on from a session written by us. */
export interface ClientFormat extends WrittenFormat {
  /** The prefix of its session ids in lists of several harnesses: `claude`. */
  prefix: string
  /** Where it keeps its sessions, and how it resumes one. */
  home: SessionPlace
}

/**
 * Where a harness keeps its sessions and how it resumes one: pure functions that read no files and
 * no environment. One small file each.
 */
export interface SessionPlace {
  /**
   * The absolute folders that hold its sessions, the one for new sessions first; none if they
   * aren't in files, or if the home directory is unknown.
   */
  roots: (surroundings: Surroundings) => readonly string[]
  /**
   * The id of the session in a file, or the beginning of the id if the file name has no more; none
   * if the file isn't a session. The file is given by its path below a root, with `/` between
   * names.
   */
  sessionIn: (relativePath: string) => string | undefined
  /**
   * Where a new session goes: its path below the first root, with `/` between names. None if the
   * harness accepts it from any file.
   */
  placeFor: (session: PlacedSession) => string | undefined
  /** The commands that resume a written session, in order. */
  resume: (written: ResumedSession) => readonly (readonly string[])[]
}

/** The parts of the outside world that decide where sessions are. */
export interface Surroundings {
  /** The variables of the environment. */
  variables: Readonly<Record<string, string | undefined>>
  /** The user's home folder, if known. */
  home: string | undefined
  path: typeof posix
}

/** A session as its harness would store it. */
export interface PlacedSession {
  /** The id of the session: `WrittenFile.session`. */
  session: string
  /** The absolute path of the folder in which it continues. */
  directory: string
  /** Milliseconds since 1970. */
  now: number
}

/** What is known about a session that a harness resumes. */
interface ResumedSession {
  /** The id of the session: `WrittenFile.session`. */
  session: string
  /** The absolute path of its file. */
  file: string
}

/**
 * A harness's own folder: the value of its variable, else `names` below the home; followed by
 * `behind`. A relative path would mean a different folder in every directory, so it is skipped.
 */
export function ownFolder(
  { variables, home, path }: Surroundings,
  { variable, names, behind }: { variable: string; names: string[]; behind: string[] },
): string[] {
  const named = variables[variable]
  const own = named !== undefined && path.isAbsolute(named) ? named : below(home, names, path)
  return own === undefined ? [] : [path.join(own, ...behind)]
}

function below(
  folder: string | undefined,
  names: string[],
  path: Surroundings['path'],
): string | undefined {
  return folder === undefined ? undefined : path.join(folder, ...names)
}
