import type { Interrupts } from './terminal/interrupts.ts'

/** The outside world of a command: the process, or what a test uses instead. */
export interface Io extends Interrupts {
  stdin: Input
  stdout: Output
  stderr: Output
  env: Readonly<Record<string, string | undefined>>
  /** The working directory; the user's relative paths start here. */
  cwd: string
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
