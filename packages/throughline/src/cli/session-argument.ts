import type { ArgumentSpec } from './command.ts'

/** The session that a command reads from a file or from standard input. */
export const sessionArgument: ArgumentSpec = {
  name: 'session',
  give: 'the path of its file, or - for standard input',
}
