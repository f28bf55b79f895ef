/**
 * The window that every client assumes, in tokens: a written session fits it easily, and its size
 * before the compaction would not.
 */
export const smallWindow = 100_000

/** A real client: how to install it, set it up for a local provider, and make it resume. */
export interface Client {
  /** The name of its harness. */
  name: string
  package: string
  /** The only version that is tested. */
  version: string
  /** Packages that it needs and does not name, with their versions. */
  beside?: readonly string[]
  /** The name of its command. */
  command: string
  /** A call of one of its tools, and a word that the result then contains. */
  call: { name: string; input: Record<string, unknown>; gives: string }
  /** Writes its settings below the throw-away home, and returns the environment it needs. */
  settle: (place: Place) => Promise<Record<string, string>>
  /** The arguments, one list per run, that resume a written session with a prompt. */
  resume: (written: { session: string; file: string; prompt: string }) => string[][]
  /** It resumes a session only on a terminal. */
  onlyOnTerminal?: true
}

/** Where a client runs, and which provider answers it. */
interface Place {
  home: string
  /** Where it keeps what it unpacks; the same for every run. */
  cache: string
  /** `http://127.0.0.1:<port>` */
  url: string
  model: string
}
