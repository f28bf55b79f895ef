import type { ArgumentSpec } from './command.ts'

/** The session that a command reads: from a file, from the store, or from where a harness has it. */
export const sessionArgument: ArgumentSpec = {
  name: 'session',
  give: 'the path of its file, - for standard input, the name of a stored session, or an id that throughline list shows',
}
