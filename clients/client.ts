/**
 * The window that every client believes in, in tokens: a written session fits it with room to
 * spare, and a count from before its compaction would not.
 */
export const smallWindow = 100_000

/** A real client: how it is installed, set up for a provider on loopback, and told to go on. */
export interface Client {
  /** The name of its harness. */
  name: string
  package: string
  /** The one version that is tested. */
  version: string
  /** The name of its command. */
  command: string
  /** A call of a tool that it has, and a word that the result then holds. */
  call: { name: string; input: Record<string, unknown>; gives: string }
  /** Writes its settings below the throw-away home, and says what its environment needs. */
  settle: (place: Place) => Promise<Record<string, string>>
  /** The arguments, one list for each run, that go on from a written session with a prompt. */
  resume: (written: { session: string; file: string; prompt: string }) => string[][]
}

/** Where a client runs, and who answers it. */
interface Place {
  home: string
  /** Where it keeps what it unpacks: the same for every run. */
  cache: string
  /** `http://127.0.0.1:<port>` */
  url: string
  model: string
}
