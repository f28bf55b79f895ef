import type { Io } from './io.ts'

/**
 * One subcommand: its arguments and options, its help, and what it does. Its line in the overview is
 * in `commands.ts`.
 */
export interface Command {
  name: string
  /** Paragraphs for its own help. */
  description: readonly string[]
  /** In order. Optional arguments come last, and only the last argument takes the rest. */
  arguments: readonly ArgumentSpec[]
  options: Options
  /** Each call with what it does. */
  examples: Readonly<Record<string, string>>
  run: (parsed: ParsedArguments, io: Io) => Promise<number>
}

export interface ArgumentSpec {
  /** One word that the help shows for it: `session`. */
  name: string
  /** What to give if it is missing; completes "which session? Give". */
  give: string
  optional?: true
  /** It takes all remaining words, one or more. */
  rest?: true
  /** An empty word means something. */
  blank?: true
}

/** Each option as the help shows it, `-o, --output FILE`, with its help. */
export type Options = Readonly<Record<string, string>>

export interface OptionSpec {
  name: string
  short: string | undefined
  /** The placeholder for the value in the help; an option without one is a flag. */
  value: string | undefined
  help: string
}

export function optionsIn(options: Options): OptionSpec[] {
  return Object.entries(options).map(([shown, help]) => {
    const [, short, name = '', value] = /^(?:-(\w), )?--([\w-]+)(?: (\S+))?$/.exec(shown) ?? []
    return { name, short, value, help }
  })
}

export interface ParsedArguments {
  /** The values given for each argument, by name; see {@link argument}. */
  arguments: ReadonlyMap<string, readonly string[]>
  values: ReadonlyMap<string, string>
  flags: ReadonlySet<string>
}

/** The value of an argument that takes one word; `''` if it was omitted. */
export function argument(parsed: Pick<ParsedArguments, 'arguments'>, name: string): string {
  return parsed.arguments.get(name)?.[0] ?? ''
}

/** All values of an argument that takes the rest. */
export function restOf(
  parsed: Pick<ParsedArguments, 'arguments'>,
  name: string,
): readonly string[] {
  return parsed.arguments.get(name) ?? []
}

/**
 * What the overview says about a subcommand, and how the subcommand is loaded when it is called.
 */
export interface Listed {
  name: string
  /** Groups appear in the order of their first command. */
  group: string
  /** One line. */
  summary: string
  load: () => Promise<Command>
}
