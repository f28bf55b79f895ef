import type { ArgumentSpec } from './command.ts'

/** The session that a command reads from a file, from standard input or from the store. */
export const sessionArgument: ArgumentSpec = {
  name: 'session',
  give: 'the path of its file, - for standard input, or the name of a stored session',
}
