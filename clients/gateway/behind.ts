import { claudeCode } from '../of/claude-code.ts'
import { codex } from '../of/codex.ts'
import { copilotCli } from '../of/copilot-cli.ts'
import { geminiCli } from '../of/gemini-cli.ts'
import { opencode } from '../of/opencode.ts'
import { pi } from '../of/pi.ts'
import { qwenCode } from '../of/qwen-code.ts'
import type { Client } from '../client.ts'

/** A client that is run behind the gateway, and how it reads a file. */
export interface BehindClient {
  client: Client
  tool: string
  /** The input of a call that reads this file. */
  reads: (file: string) => Record<string, unknown>
  run: (prompt: string) => string[]
  /** It sends what the strictest APIs refuse, also by itself. */
  isLenient?: true
  /** It goes on without an end where too much usage is reported. */
  loops?: true
}

const byPath = (field: string) => (file: string) => ({ [field]: file })

export const behindClients: readonly BehindClient[] = [
  {
    client: codex,
    tool: 'exec_command',
    reads: (file) => ({ cmd: `cat ${file}` }),
    run: (prompt) => ['exec', '--json', '--skip-git-repo-check', prompt],
  },
  {
    client: geminiCli,
    tool: 'read_file',
    reads: byPath('file_path'),
    run: (prompt) => ['-p', prompt, '--yolo', '--skip-trust', '-m', 'gemini-2.5-pro'],
  },
  {
    client: opencode,
    tool: 'read',
    reads: byPath('filePath'),
    run: (prompt) => ['run', prompt],
    loops: true,
  },
  {
    client: copilotCli,
    tool: 'bash',
    reads: (file) => ({ command: `cat ${file}`, description: 'Reads a file' }),
    run: (prompt) => ['-p', prompt, '--allow-all-tools'],
    isLenient: true,
  },
  {
    client: qwenCode,
    tool: 'read_file',
    reads: byPath('file_path'),
    run: (prompt) => ['-p', prompt, '--yolo'],
    isLenient: true,
  },
  {
    client: claudeCode,
    tool: 'Read',
    reads: byPath('file_path'),
    run: (prompt) => ['-p', prompt, '--dangerously-skip-permissions'],
    isLenient: true,
  },
  {
    client: pi,
    tool: 'read',
    reads: byPath('path'),
    run: (prompt) => ['-p', '--provider', 'scripted', '--model', 'scripted', prompt],
  },
]
