import { restOf, type Command, type ParsedArguments } from '../../command.ts'
import { usage } from '../../parse-arguments.ts'
import { forEachSession } from '../../several-sessions.ts'
import { sessionArgument } from '../../shared-options.ts'
import { runCompact } from './run.ts'
import { compactOptions, compactSettings, type CompactSettings } from './settings.ts'
import type { Io } from '../../io.ts'

export const compactCommand: Command = {
  name: 'compact',
  description: [
    'Compacts a session and prints the result, a summary and then the newest messages word for word, to standard output. A short report goes to standard error first. On a terminal, long output is shown in a pager. With --if-needed, a session that fits its window is printed unchanged, and one that fits after pruning its old tool outputs gets no summary. Without --model, no model is called.',
    'For a stored session, the compaction is also saved; throughline undo reverts it. A file is never changed. Several sessions are compacted one after the other.',
    'With --to, the compacted session is written in a harness’s format, so that the harness can resume it like one of its own, or as the messages of an API. --install puts it where the harness finds it. For another harness, tool calls become calls of its own tools, or are described in words if it has no such tool.',
    'Text and Markdown are printed without control, escape and bidi characters, even if the session contains them. JSON contains exactly what the session contains, with such characters escaped.',
  ],
  arguments: [{ ...sessionArgument, rest: true }],
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
    'throughline compact session.jsonl made -o . --format markdown':
      'Compact several sessions, each into a file of its own in this directory.',
  },
  run: compactEach,
}

async function compactEach(parsed: ParsedArguments, io: Io): Promise<number> {
  const settings = compactSettings(parsed, io.env)
  if (restOf(parsed, 'session').length > 1) checkSeveral(settings)
  const run = (own: ParsedArguments, io: Io) => runCompact(compactSettings(own, io.env), own, io)
  const several = { between: 'heading', ending: endingOf(settings) } as const
  return forEachSession('compact', parsed, io, run, several)
}

/** @throws UsageError */
function checkSeveral({ first, stretch, form, written, output, dryRun }: CompactSettings): void {
  if (first === 'copy')
    throw usage('compact', 'the clipboard holds one session: --copy one at a time')
  if (stretch) throw usage('compact', '--from and --through name entries of one session: give one')
  const isDocument = form === 'ai-sdk' || (written && !written.install)
  if (isDocument && !dryRun && (output ?? '-') === '-') {
    throw usage('compact', 'each session is a document of its own: name a directory with -o')
  }
}

function endingOf({ form, written }: CompactSettings): string {
  if (written) return written.destination.writer.lines ? '.jsonl' : '.json'
  return { text: '.txt', markdown: '.md', json: '.json', 'ai-sdk': '.json' }[form]
}
