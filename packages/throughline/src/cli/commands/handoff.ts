import { runCompact } from './compact/run.ts'
import { compactSettings, handoffOptions } from './compact/settings.ts'
import { sessionArgument } from '../shared-options.ts'
import type { Command } from '../command.ts'

export const handoffCommand: Command = {
  name: 'handoff',
  description: [
    'Compacts a session as throughline compact does and writes it in the form of another harness: Claude Code, Codex, opencode, pi, Copilot CLI, Gemini CLI or Qwen Code. Calls become those of its own tools where it has an exact counterpart, and are told in words where it has none; and it is told which of its tools does the work of those that the session names. So its model does not call what is not there.',
    'Without --install the session is written to standard output. The session that it comes from is left as it is.',
  ],
  arguments: [sessionArgument],
  options: handoffOptions,
  examples: [
    {
      command: 'throughline handoff claude:latest --to codex --install',
      does: 'Go on in Codex from the newest session of Claude Code; the command to run is printed.',
    },
    {
      command: 'throughline handoff session.jsonl --to opencode --force -o session.json',
      does: 'Write a summary and the newest messages as a document for opencode import.',
    },
    {
      command: 'throughline handoff session.jsonl --to pi --keep 8k --dry-run',
      does: 'Show what it would hold.',
    },
  ],
  run: (parsed, io) => runCompact(compactSettings('handoff', parsed), parsed, io),
}
