import { configOptions, storeOption } from './configuration.ts'
import type { ArgumentSpec, Options } from './command.ts'

export const storedSessionArgument: ArgumentSpec = {
  name: 'session',
  give: 'its name or the beginning of it, as throughline list --stored prints it',
}

/** The options of every command that works with the store. */
export const storeOptions: Options = { ...storeOption, ...configOptions }

export const jsonOption: Options = { '--json': 'Print one JSON object instead.' }

/** For commands that can't be undone. */
export const yesOption: Options = {
  '-y, --yes': 'Do not ask for confirmation. Required where there is no terminal.',
}

/** The session that a command reads: from a file, from the store, or from a harness. */
export const sessionArgument: ArgumentSpec = {
  name: 'session',
  give: 'the path of its file, - for standard input, the name of a stored session, or an id from throughline list',
}
