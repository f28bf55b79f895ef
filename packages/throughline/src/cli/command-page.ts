import { commandHelp } from './help.ts'
import { overview } from './overview.ts'
import type { Command, Listed } from './command.ts'

/** The page `docs/command.md`, generated from the command's own help. */
export function commandPage(listed: readonly Listed[], commands: readonly Command[]): string {
  return [
    '# The command',
    '',
    'For those who look for a command or an option. This page shows what `throughline --help` and `throughline <command> --help` print. A test generates it, fails if it differs, and runs every example.',
    '',
    fenced(overview(listed)),
    ...commands.flatMap((command) => ['', `## ${command.name}`, '', fenced(commandHelp(command))]),
    '',
    '## What is printed where',
    '',
    ...notes.map((note) => `- ${note}`),
    '',
  ].join('\n')
}

const notes = [
  'The result goes to standard output, or to the file named with `-o`. That file receives the whole result or stays unchanged. Reports, progress and errors go to standard error; an error is one line.',
  'Text and Markdown never contain control, escape or bidi characters, not even in files and pipes, because someone will print them. JSON (`--json`, `--format ai-sdk`) contains exactly what the session contains, with such characters escaped. [compact-json.schema.json](compact-json.schema.json) describes the output of `compact --json`.',
  'Sizes are in tokens, as the built-in estimator counts them for the session’s model. The output of `compact` never exceeds `--keep`, counted as messages; printed text and Markdown also stay within it when counted as bytes / 4. The same messages take more room as JSON. `list` shows what the provider counted for the whole request, with system prompt and tools; `compact`, `handoff` and `resume` count the messages alone, and also name the provider’s count.',
  '`compact` always compacts. With `--if-needed` it does the minimum that makes the session fit: nothing, pruning old tool outputs, or a summary.',
  'In text, a passage begins with a line `=== who`; in Markdown, with a first-level heading. No line inside a passage looks like that.',
  'Damaged lines of a session are reported and skipped; the rest is used.',
  'Sessions are stored in one SQLite file. Its path comes from `--store`, else from `THROUGHLINE_STORE`, else from the configuration. The default is `throughline/sessions.db` in the data folder: `$XDG_DATA_HOME` or `~/.local/share`, on macOS `~/Library/Application Support`, on Windows `%LOCALAPPDATA%`. The first `import` creates the file; commands that only read never do.',
  'The code of the command is kept compiled in `throughline/compiled` of the cache folder (`$XDG_CACHE_HOME` or `~/.cache`, on macOS `~/Library/Caches`, on Windows `%LOCALAPPDATA%`), about 1 MB for each version. It holds nothing of a session. Delete it at any time; `NODE_DISABLE_COMPILE_CACHE=1` turns it off.',
  'An argument that is an existing file means that file. Any other argument names a session in the store, by its whole name or by a unique beginning of at least 4 characters. If the store has none, the command looks where this machine’s harnesses keep their sessions: by id, by the beginning of an id, or by `latest`. You can put the harness first: `claude:`, `codex:`, `opencode:`, `pi:`, `copilot:`, `gemini:`, `qwen:`.',
  'Every change to the store happens completely or not at all, even if the command is stopped halfway. `redact` and `delete` cannot be undone: they ask for confirmation in a terminal and need `--yes` elsewhere.',
]

function fenced(text: string): string {
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\``
}
