import { aider } from './aider/format.ts'
import { aiSdk } from './ai-sdk/format.ts'
import { anthropic } from './anthropic/format.ts'
import { claudeCode } from './claude-code/format.ts'
import { cline } from './cline/format.ts'
import { cn } from './cn/format.ts'
import { codex } from './codex/format.ts'
import { copilotCli } from './copilot-cli/format.ts'
import { geminiCli } from './gemini-cli/format.ts'
import { kimiCode } from './kimi-code/format.ts'
import { openaiChat } from './openai-chat/format.ts'
import { openaiResponses } from './openai-responses/format.ts'
import { opencode } from './opencode/format.ts'
import { opencodeV2 } from './opencode-v2/format.ts'
import { openhands } from './openhands/format.ts'
import { pi } from './pi/format.ts'
import { qwenCode } from './qwen-code/format.ts'
import { sweAgent } from './swe-agent/format.ts'
import { throughline } from './throughline/format.ts'
import type { ClientFormat, WrittenFormat } from './writing/harness.ts'
import type { Format } from './format.ts'

/**
 * All formats, in the order in which they are tried on a file: each is a folder and its line here.
 * What a format can do besides being read, its fields tell.
 */
export const formats: readonly (Format | WrittenFormat | ClientFormat)[] = [
  throughline,
  claudeCode,
  codex,
  opencode,
  opencodeV2,
  pi,
  copilotCli,
  geminiCli,
  qwenCode,
  kimiCode,
  cn,
  cline,
  openhands,
  sweAgent,
  aider,
  aiSdk,
  anthropic,
  openaiResponses,
  openaiChat,
]
