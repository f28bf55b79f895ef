import { join } from 'node:path'
import { changeJson } from '../../change-json.ts'
import { geminiCli } from '../../../of/gemini-cli.ts'
import type { LongClient } from '../long-client.ts'

const compressesAt = 60_000
// After a resume it sends each result twice, and is refused where the window is less.
const window = 200_000
const windowOfModel = 1_048_576
const usual = ['--yolo', '--skip-trust', '-m', 'gemini-2.5-pro']

interface Settings {
  model?: { compressionThreshold: number; disableLoopDetection: boolean }
}

/** It knows the windows of its own models alone: it is told to compress at a share of a million. */
export const longGeminiCli: LongClient = {
  client: geminiCli,
  word: 'gemini',
  isBehind: true,
  window,
  strict: false,
  read: (file_path) => ({ name: 'read_file', input: { file_path } }),
  run: (command) => ({ name: 'run_shell_command', input: { command, description: 'Run it' } }),
  write: (file_path, content) => ({ name: 'write_file', input: { file_path, content } }),
  asksForSummary: ({ said, tools }) =>
    tools.length === 0 &&
    said.some((part) => 'text' in part && part.text.includes('state_snapshot')),
  summary: (usualSummary) => `<state_snapshot>\n${usualSummary}\n</state_snapshot>`,
  async prepare(home) {
    await changeJson(join(home, '.gemini/settings.json'), (settings: Settings) => {
      // The talk of the scripted model is always the same.
      const disableLoopDetection = true
      settings.model = { compressionThreshold: compressesAt / windowOfModel, disableLoopDetection }
    })
    return {}
  },
  first: (prompt) => ['-p', prompt, ...usual],
  again: (prompt) => ['-p', prompt, ...usual, '--resume', 'latest'],
}
