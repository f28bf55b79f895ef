import { claudeCode } from './claude-code/format.ts'
import { claudeCodePlace } from './claude-code/place.ts'
import { claudeCodeWriter } from './claude-code/writer.ts'
import { codex } from './codex/format.ts'
import { codexPlace } from './codex/place.ts'
import { codexWriter } from './codex/writer.ts'
import { copilotCli } from './copilot-cli/format.ts'
import { copilotCliPlace } from './copilot-cli/place.ts'
import { copilotCliWriter } from './copilot-cli/writer.ts'
import { geminiCli } from './gemini-cli/format.ts'
import { geminiCliPlace } from './gemini-cli/place.ts'
import { geminiCliWriter } from './gemini-cli/writer.ts'
import { opencode } from './opencode/format.ts'
import { opencodePlace } from './opencode/place.ts'
import { opencodeWriter } from './opencode/writer.ts'
import { pi } from './pi/format.ts'
import { piPlace } from './pi/place.ts'
import { piWriter } from './pi/writer.ts'
import { qwenCode } from './qwen-code/format.ts'
import { qwenCodePlace } from './qwen-code/place.ts'
import { qwenCodeWriter } from './qwen-code/writer.ts'
import type { Format } from './format.ts'
import type { Harness, SessionPlace } from './writing/harness.ts'
import type { FormatWriter } from './writing/format-writer.ts'

/** The harnesses that resume a session which we wrote. */
export const harnesses: readonly Harness[] = [
  harness('claude', claudeCode, claudeCodeWriter, claudeCodePlace),
  harness('codex', codex, codexWriter, codexPlace),
  harness('opencode', opencode, opencodeWriter, opencodePlace),
  harness('pi', pi, piWriter, piPlace),
  harness('copilot', copilotCli, copilotCliWriter, copilotCliPlace),
  harness('gemini', geminiCli, geminiCliWriter, geminiCliPlace),
  harness('qwen', qwenCode, qwenCodeWriter, qwenCodePlace),
]

function harness(
  prefix: string,
  format: Format,
  writer: FormatWriter,
  place: SessionPlace,
): Harness {
  return { name: format.name, prefix, format, writer, ...place }
}
