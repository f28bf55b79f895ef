import { claudeCode } from './of/claude-code.ts'
import { cline } from './of/cline.ts'
import { cn } from './of/cn.ts'
import { codex } from './of/codex.ts'
import { copilotCli } from './of/copilot-cli.ts'
import { geminiCli } from './of/gemini-cli.ts'
import { kimiCode } from './of/kimi-code.ts'
import { opencode } from './of/opencode.ts'
import { pi } from './of/pi.ts'
import { qwenCode } from './of/qwen-code.ts'
import type { Client } from './client.ts'

/** The clients that are run, one file each. */
export const clients: readonly Client[] = [
  claudeCode,
  codex,
  opencode,
  pi,
  copilotCli,
  geminiCli,
  qwenCode,
  kimiCode,
  cn,
  cline,
]
