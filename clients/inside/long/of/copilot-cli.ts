import { lastTextOf } from '../../last-text.ts'
import { copilotCli } from '../../../of/copilot-cli.ts'
import type { LongClient } from '../long-client.ts'

const window = 64_000

export const longCopilotCli: LongClient = {
  client: copilotCli,
  word: 'copilot',
  isBehind: true,
  window,
  strict: false,
  read: (path) => ({ name: 'view', input: { path } }),
  run: (command) => ({ name: 'bash', input: { command, description: 'Run it' } }),
  write: (path, file_text) => ({ name: 'create', input: { path, file_text } }),
  asksForSummary: (request) =>
    lastTextOf(request).startsWith('Please create a detailed summary of the conversation so far.'),
  prepare: async () => ({ COPILOT_PROVIDER_MAX_PROMPT_TOKENS: `${window}` }),
  first: (prompt) => ['-p', prompt, '--allow-all-tools', '--allow-all-paths'],
  again: (prompt) => ['-p', prompt, '--allow-all-tools', '--allow-all-paths', '--continue'],
}
