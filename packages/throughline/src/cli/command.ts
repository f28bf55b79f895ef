import type { Io } from './io.ts'

/** One subcommand: what it is called with, what its help says, what it does. */
export interface Command {
  name: string
  /** One line for the overview. */
  summary: string
  /** Paragraphs for its own help. */
  description: readonly string[]
  options: readonly OptionSpec[]
  examples: readonly Example[]
  run: (parsed: ParsedArguments, io: Io) => Promise<number>
}

export interface OptionSpec {
  name: string
  short?: string
  /** What stands for the value in the help; an option without one is a flag. */
  value?: string
  help: string
}

interface Example {
  command: string
  does: string
}

export interface ParsedArguments {
  /** The path of the session, or `-` for standard input. */
  session: string
  values: ReadonlyMap<string, string>
  flags: ReadonlySet<string>
}
