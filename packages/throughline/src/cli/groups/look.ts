/** The commands that show sessions, which are loaded together. */
export { listCommand } from '../commands/list/command.ts'
export { inspectCommand } from '../commands/inspect/command.ts'
export { reportCommand } from '../commands/report/command.ts'
export { diffCommand } from '../commands/diff/command.ts'
export { viewCommand } from '../commands/view/command.ts'
export { searchCommand } from '../commands/search/command.ts'
export { replayCommand } from '../commands/replay/command.ts'
