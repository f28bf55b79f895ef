/** The commands that show sessions, which are loaded together. */
export { listCommand } from '../commands/list/command.ts'
export { reportCommand } from '../commands/report/command.ts'
export { searchCommand } from '../commands/search/command.ts'
export { examCommand } from '../commands/exam/command.ts'
