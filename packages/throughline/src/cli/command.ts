import type { Io } from './io.ts'

/**
 * One subcommand: what it is called with, what its help says, what it does. What the overview says
 * of it stands in `commands.ts`.
 */
export interface Command {
  name: string
  /** Paragraphs for its own help. */
  description: readonly string[]
  /** In their order; those that may be left out come last, and only the last takes the rest. */
  arguments: readonly ArgumentSpec[]
  options: readonly OptionSpec[]
  examples: readonly Example[]
  run: (parsed: ParsedArguments, io: Io) => Promise<number>
}

export interface ArgumentSpec {
  /** One word for what it is, as the help shows it: `session`. */
  name: string
  /** What to give where it is missing: it completes "which session? Give". */
  give: string
  optional?: true
  /** It takes all that is left, one or more. */
  rest?: true
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
  /** What was given for each argument, by its name; see {@link argument}. */
  arguments: ReadonlyMap<string, readonly string[]>
  values: ReadonlyMap<string, string>
  flags: ReadonlySet<string>
}

/** What was given for an argument that takes one word; `''` if it was left out. */
export function argument(parsed: Pick<ParsedArguments, 'arguments'>, name: string): string {
  return parsed.arguments.get(name)?.[0] ?? ''
}

/** All that was given for an argument that takes the rest. */
export function restOf(
  parsed: Pick<ParsedArguments, 'arguments'>,
  name: string,
): readonly string[] {
  return parsed.arguments.get(name) ?? []
}
