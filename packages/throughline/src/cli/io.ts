/** The outside world of a command: the process, or what a test uses instead. */
export interface Io {
  stdin: Input
  stdout: Output
  stderr: Output
  env: Readonly<Record<string, string | undefined>>
  /** The working directory; the user's relative paths start here. */
  cwd: string
  /** Aborted by the first Ctrl-C; a second one ends the process at once. */
  signal: AbortSignal
  /**
   * Does work that writes nothing and often gives events a turn. Ctrl-C ends the process at the next
   * one, with a line that says so.
   */
  endingInTurn: <Result>(work: () => Result | Promise<Result>) => Promise<Result>
  /**
   * Does work that writes nothing and computes for long at a stretch. Ctrl-C ends the process at
   * once, as the system does it: without a word.
   * @throws InterruptedError if Ctrl-C was pressed before it.
   */
  endingAtOnce: <Result>(work: () => Result | Promise<Result>) => Promise<Result>
  /** Milliseconds, for redrawing lines in a terminal. */
  now: () => number
}

interface Input {
  isTerminal: boolean
  /** May be called only once. */
  chunks: () => AsyncIterable<Uint8Array>
  /**
   * Asks in a terminal for a line that isn't shown while it is typed; `undefined` if none comes.
   */
  hiddenLine: (question: string) => Promise<string | undefined>
  /**
   * Lets the user choose a line in a terminal, by typing a part of it or of its other words;
   * `undefined` if they leave.
   */
  choose: (
    question: string,
    lines: readonly string[],
    words?: readonly string[],
  ) => Promise<number | undefined>
}

export interface Output {
  isTerminal: boolean
  /** The current width of the terminal; it may change while a command runs. */
  columns: () => number
  /** @throws ClosedPipeError if the reader has gone. */
  write: (text: string) => Promise<void>
  /**
   * Writes a long text; in a terminal that is too small for it, through a pager. The head is
   * at the top of the pager; without a pager, it is written to its own output.
   */
  page: (text: string, head?: { text: string; to: Output }) => Promise<void>
}
