import type { Command } from '../../command.ts'
import { sessionArgument } from '../../shared-options.ts'
import { runCompact } from './run.ts'
import { compactOptions, compactSettings } from './settings.ts'

export const compactCommand: Command = {
  name: 'compact',
  description: [
    'Compacts a session and prints the result, a summary and then the newest messages word for word, to standard output. A short report goes to standard error first. With --if-needed, a session that fits its window is printed unchanged, and one that fits after pruning its old tool outputs gets no summary. Without --model, no model is called.',
    'For a stored session, the compaction is also saved; throughline undo reverts it. A file is never changed.',
    'With --to, the compacted session is written in a harness’s format, so that the harness can resume it like one of its own, or as the messages of an API. --install puts it where the harness finds it. For another harness, tool calls become calls of its own tools, or are described in words if it has no such tool.',
    'Text and Markdown are printed without control, escape and bidi characters, even if the session contains them. JSON contains exactly what the session contains, with such characters escaped.',
  ],
  arguments: [sessionArgument],
  options: compactOptions,
  examples: {
    'throughline compact session.jsonl': 'Print what a model needs to continue.',
    'throughline compact session.jsonl --window 32k --dry-run':
      'Show what would be kept, clipped, pruned and summarized for a window of 32,000.',
    'throughline compact session.jsonl --keep 8k --focus "the failing tests" -o short.md --format markdown':
      'Write at most 8,000 tokens to short.md, most of them about the failing tests.',
    'throughline compact - --format ai-sdk < session.jsonl':
      'Read standard input; print the messages for the AI SDK’s generateText().',
    'throughline compact claude:latest --to claude-code --install':
      'Compact the newest Claude Code session into a new one, and print how to resume it.',
    'throughline compact session.jsonl --to openai-chat --keep 8k':
      'Print the compacted session as messages for the Chat Completions API.',
    'throughline compact made --window 32k': 'Compact a stored session.',
  },
  run: (parsed, io) => runCompact(compactSettings(parsed, io.env), parsed, io),
}
