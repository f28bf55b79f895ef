import { sessionArgument } from '../../shared-options.ts'
import { runCompact } from './run.ts'
import { compactOptions, compactSettings } from './settings.ts'
import type { Command } from '../../command.ts'

export const compactCommand: Command = {
  name: 'compact',
  description: [
    'Prints the compacted context, a summary and then the newest messages word for word, to standard output, and a short report to standard error. A session that fits its window is printed as it is; one that fits when its old tool outputs are pruned needs no summary. No model is called.',
    'Of a session in the store the compaction is kept there, too, until throughline undo takes it back; a file is never changed.',
    'With --to the compacted session is written in the form of a harness, which goes on from it as from one of its own, or as the messages of an API; --install puts it where the harness finds it. Calls of tools stay as they are: to go on in another harness, see throughline handoff.',
    'Text and Markdown are printed without control, escape and bidi characters, whoever wrote them into the session. JSON says exactly what the session holds, with such characters escaped.',
  ],
  arguments: [sessionArgument],
  options: compactOptions,
  examples: [
    {
      command: 'throughline compact session.jsonl',
      does: 'Print what a model has to know to go on.',
    },
    {
      command: 'throughline compact session.jsonl --window 32k --dry-run',
      does: 'Show what would be kept, clipped, pruned and summarized for a window of 32,000.',
    },
    {
      command:
        'throughline compact session.jsonl --keep 8k --focus "the failing tests" -o short.md --format markdown',
      does: 'Write at most 8,000 tokens to short.md, most of them about the failing tests.',
    },
    {
      command: 'throughline compact - --format ai-sdk --force < session.jsonl',
      does: 'Read standard input; print the messages for generateText() of the AI SDK.',
    },
    {
      command: 'throughline compact claude:latest --to claude-code --install --force',
      does: 'Compact the newest session of Claude Code into a new one, and print how to resume it.',
    },
    {
      command: 'throughline compact session.jsonl --to openai-chat --keep 8k',
      does: 'Print it as messages for the Chat Completions API.',
    },
    {
      command: 'throughline compact made --window 32k',
      does: 'Compact a session of the store.',
    },
  ],
  run: (parsed, io) => runCompact(compactSettings('compact', parsed), parsed, io),
}
