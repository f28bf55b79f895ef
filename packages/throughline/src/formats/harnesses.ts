import { claudeCode, claudeCodePlace } from './claude-code/format.ts'
import { claudeCodeWriter } from './claude-code/writer.ts'
import { cline, clinePlace } from './cline/format.ts'
import { clineWriter } from './cline/writer.ts'
import { cn, cnPlace } from './cn/format.ts'
import { cnWriter } from './cn/writer.ts'
import { codex, codexPlace } from './codex/format.ts'
import { codexWriter } from './codex/writer.ts'
import { copilotCli, copilotCliPlace } from './copilot-cli/format.ts'
import { copilotCliWriter } from './copilot-cli/writer.ts'
import { geminiCli, geminiCliPlace } from './gemini-cli/format.ts'
import { geminiCliWriter } from './gemini-cli/writer.ts'
import { kimiCode, kimiCodePlace } from './kimi-code/format.ts'
import { kimiCodeWriter } from './kimi-code/writer.ts'
import { opencode, opencodePlace } from './opencode/format.ts'
import { opencodeWriter } from './opencode/writer.ts'
import { opencodeV2, opencodeV2Place } from './opencode-v2/format.ts'
import { opencodeV2Writer } from './opencode-v2/writer.ts'
import { losslessClawSource } from './openclaw/lossless-claw.ts'
import { openclawSource } from './openclaw/harness.ts'
import { pi, piPlace } from './pi/format.ts'
import { piWriter } from './pi/writer.ts'
import { qwenCode, qwenCodePlace } from './qwen-code/format.ts'
import { qwenCodeWriter } from './qwen-code/writer.ts'
import type { Format } from './format.ts'
import type { Harness, SessionPlace } from './writing/harness.ts'
import type { FormatWriter } from './writing/format-writer.ts'

/** The harnesses that can resume a session written by us. */
export const harnesses: readonly Harness[] = [
  harness('claude', claudeCode, claudeCodeWriter, claudeCodePlace),
  harness('codex', codex, codexWriter, codexPlace),
  harness('opencode', opencode, opencodeWriter, opencodePlace),
  harness('opencode2', opencodeV2, opencodeV2Writer, opencodeV2Place),
  harness('pi', pi, piWriter, piPlace),
  harness('copilot', copilotCli, copilotCliWriter, copilotCliPlace),
  harness('gemini', geminiCli, geminiCliWriter, geminiCliPlace),
  harness('qwen', qwenCode, qwenCodeWriter, qwenCodePlace),
  harness('kimi', kimiCode, kimiCodeWriter, kimiCodePlace),
  harness('cn', cn, cnWriter, cnPlace),
  harness('cline', cline, clineWriter, clinePlace),
]

/** The harnesses whose sessions are found, also those that take none from outside. */
export const sources: readonly Harness[] = [...harnesses, openclawSource, losslessClawSource]

function harness(
  prefix: string,
  format: Format,
  writer: FormatWriter,
  place: SessionPlace,
): Harness {
  return { name: format.name, prefix, format, writer, ...place }
}
