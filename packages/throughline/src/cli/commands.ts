import { compactCommand } from './compact/command.ts'
import { configCommand } from './config/command.ts'
import { inspectCommand } from './inspect/command.ts'
import { mcpCommand } from './mcp/command.ts'
import { replayCommand } from './replay/command.ts'
import type { Command } from './command.ts'

export const commands: readonly Command[] = [
  compactCommand,
  replayCommand,
  inspectCommand,
  mcpCommand,
  configCommand,
]
