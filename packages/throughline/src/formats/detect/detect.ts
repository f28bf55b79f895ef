import { aider } from '../aider/format.ts'
import { aiSdk } from '../ai-sdk/format.ts'
import { anthropic } from '../anthropic/format.ts'
import { claudeCode } from '../claude-code/format.ts'
import { cline } from '../cline/format.ts'
import { cn } from '../cn/format.ts'
import { codex } from '../codex/format.ts'
import { copilotCli } from '../copilot-cli/format.ts'
import { geminiCli } from '../gemini-cli/format.ts'
import { kimiCode } from '../kimi-code/format.ts'
import { openaiChat } from '../openai-chat/format.ts'
import { openaiResponses } from '../openai-responses/format.ts'
import { opencode } from '../opencode/format.ts'
import { opencodeV2 } from '../opencode-v2/format.ts'
import { openhands } from '../openhands/format.ts'
import { pi } from '../pi/format.ts'
import { qwenCode } from '../qwen-code/format.ts'
import { sweAgent } from '../swe-agent/format.ts'
import { throughline } from '../throughline/format.ts'
import type { Format } from '../format.ts'

/** The formats that can be read, in the order in which they are tried. */
export const formats: readonly Format[] = [
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

/** The format of a file's first records: detected from content, never from its name. */
export function detectFormat(
  records: readonly unknown[],
  known: readonly Format[] = formats,
): Format | undefined {
  return known.find((format) => format.recognises(records))
}
