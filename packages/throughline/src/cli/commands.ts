import { compactCommand } from './compact/command.ts'
import { configCommand } from './config/command.ts'
import { deleteCommand } from './delete/command.ts'
import { evalCommand } from './eval/command.ts'
import { exportCommand } from './export/command.ts'
import { forkCommand } from './fork/command.ts'
import { handoffCommand } from './handoff/command.ts'
import { importCommand } from './import/command.ts'
import { inspectCommand } from './inspect/command.ts'
import { listCommand } from './list/command.ts'
import { mcpCommand } from './mcp/command.ts'
import { pinCommand } from './pin/command.ts'
import { recallCommand } from './recall/command.ts'
import { redactCommand } from './redact/command.ts'
import { replayCommand } from './replay/command.ts'
import { sessionsCommand } from './sessions/command.ts'
import { showCommand } from './show/command.ts'
import { undoCommand } from './undo/command.ts'
import { unpinCommand } from './unpin/command.ts'
import type { Command } from './command.ts'

export const commands: readonly Command[] = [
  compactCommand,
  replayCommand,
  inspectCommand,
  evalCommand,
  listCommand,
  handoffCommand,
  importCommand,
  sessionsCommand,
  showCommand,
  recallCommand,
  undoCommand,
  pinCommand,
  unpinCommand,
  forkCommand,
  redactCommand,
  deleteCommand,
  exportCommand,
  mcpCommand,
  configCommand,
]
