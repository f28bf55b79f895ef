import { compactEach } from './compact/compact-each.ts'
import { handoffOptions } from './compact/settings.ts'
import { sessionArgument } from '../shared-options.ts'
import type { Command } from '../command.ts'

export const handoffCommand: Command = {
  name: 'handoff',
  description: [
    'Compacts a session like throughline compact and writes it in the format of another harness: Claude Code, Codex, opencode, pi, Copilot CLI, Gemini CLI or Qwen Code. If that harness has an exact counterpart for a tool, calls are converted to it; other calls are described in words. The new session also says which of the harness’s tools do the work of the tools it mentions, so the model does not call tools that are missing.',
    'Without --install, the session is written to standard output. The original session is not changed.',
  ],
  arguments: [{ ...sessionArgument, rest: true }],
  options: handoffOptions,
  examples: [
    {
      command: 'throughline handoff claude:latest --to codex --install',
      does: 'Continue the newest Claude Code session in Codex; prints the command to run.',
    },
    {
      command: 'throughline handoff session.jsonl --to opencode --compact -o session.json',
      does: 'Write a summary and the newest messages as a document for opencode import.',
    },
    {
      command: 'throughline handoff session.jsonl --to pi --keep 8k --dry-run',
      does: 'Show what the new session would contain.',
    },
  ],
  run: (parsed, io) => compactEach('handoff', parsed, io),
}
