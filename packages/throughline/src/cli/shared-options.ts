import { configOptions, storeOption } from './configuration.ts'
import type { ArgumentSpec, OptionSpec } from './command.ts'

/** The session of the store that a command works on. */
export const storedSessionArgument: ArgumentSpec = {
  name: 'session',
  give: 'its name or the beginning of it, as throughline sessions lists it',
}

/** The options of every command that works in the store. */
export const storeOptions: readonly OptionSpec[] = [storeOption, ...configOptions]

export const jsonOption: OptionSpec = { name: 'json', help: 'Print one JSON object instead.' }

/** For what cannot be taken back. */
export const yesOption: OptionSpec = {
  name: 'yes',
  short: 'y',
  help: 'Do not ask. Needed where there is no terminal to ask in.',
}

/** The session that a command reads: from a file, from the store, or from where a harness has it. */
export const sessionArgument: ArgumentSpec = {
  name: 'session',
  give: 'the path of its file, - for standard input, the name of a stored session, or an id that throughline list shows',
}
