/** The commands that bring a session somewhere, which are loaded together. */
export { resumeCommand } from '../commands/resume/command.ts'
export { importCommand } from '../commands/import/command.ts'
export { runCommand } from '../commands/run.ts'
export { serveCommand } from '../commands/serve.ts'
export { compactCommand } from '../commands/compact/command.ts'
