/** The world that a command runs in: the process, or what a test puts in its place. */
export interface Io {
  stdin: Input
  stdout: Output
  stderr: Output
  env: Readonly<Record<string, string | undefined>>
  /** The working directory: relative paths of the user stand in it. */
  cwd: string
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
  /** Milliseconds, for what is redrawn in a terminal. */
  now: () => number
}

interface Input {
  isTerminal: boolean
  /** To be called once. */
  chunks: () => AsyncIterable<Uint8Array>
  /**
   * Asks in a terminal for a line that is not shown while it is typed; `undefined` if none comes.
   */
  hiddenLine: (question: string) => Promise<string | undefined>
}

export interface Output {
  isTerminal: boolean
  /** The width of the terminal now; it changes while a command runs. */
  columns: () => number
  /** @throws ClosedPipeError if the reader has gone. */
  write: (text: string) => Promise<void>
}
