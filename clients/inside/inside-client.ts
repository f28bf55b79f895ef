import type { InsideClient } from './client-trial.ts'
import { insideClaudeCode } from './of/claude-code.ts'
import { insideCodex } from './of/codex.ts'
import { insideOpencode } from './of/opencode.ts'
import { insidePi } from './of/pi.ts'
import { insideQwenCode } from './of/qwen-code.ts'

export const insideClients: readonly InsideClient[] = [
  insideOpencode,
  insidePi,
  insideClaudeCode,
  insideCodex,
  insideQwenCode,
]
