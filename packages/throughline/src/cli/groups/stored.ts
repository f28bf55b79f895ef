/** The commands on sessions in the store, which are loaded together. */
export { recallCommand } from '../commands/recall.ts'
export { undoCommand } from '../commands/undo.ts'
export { pinCommand } from '../commands/pin.ts'
export { redactCommand } from '../commands/redact/command.ts'
export { deleteCommand } from '../commands/delete.ts'
export { exportCommand } from '../commands/export.ts'
