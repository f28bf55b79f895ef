import { claudeCode } from '../claude-code/format.ts'
import { claudeCodeTools } from '../claude-code/tools.ts'
import { codex } from '../codex/format.ts'
import { codexTools } from '../codex/tools.ts'
import { copilotCli } from '../copilot-cli/format.ts'
import { copilotCliTools } from '../copilot-cli/tools.ts'
import { geminiCli } from '../gemini-cli/format.ts'
import { geminiCliTools } from '../gemini-cli/tools.ts'
import { opencode } from '../opencode/format.ts'
import { opencodeTools } from '../opencode/tools.ts'
import { pi } from '../pi/format.ts'
import { piTools } from '../pi/tools.ts'
import { qwenCodeTools } from '../qwen-code/tools.ts'
import type { ToolTable } from './tool-table.ts'

const tables: ReadonlyMap<string, ToolTable> = new Map([
  [claudeCode.name, claudeCodeTools],
  [codex.name, codexTools],
  [opencode.name, opencodeTools],
  [pi.name, piTools],
  [copilotCli.name, copilotCliTools],
  [geminiCli.name, geminiCliTools],
  ['qwen-code', qwenCodeTools],
])

/** The tools of a harness, by the name of its format; of others nothing is known but that name. */
export function toolTableOf(format: string): ToolTable {
  return tables.get(format) ?? { label: format, tools: [] }
}
