import { commandHelp } from './help.ts'
import { overview } from './overview.ts'
import type { Command } from './command.ts'
import type { Listed } from './commands.ts'

/** The page `docs/command.md`, made from the help that the command itself gives. */
export function commandPage(listed: readonly Listed[], commands: readonly Command[]): string {
  return [
    '# The command',
    '',
    'This page is what `throughline --help` and `throughline <command> --help` print; a test makes it anew and fails when they differ, and runs every example on it.',
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
  'The result goes to standard output, or to the file of `-o`, which holds all of it or is left as it was. Reports, progress and errors go to standard error; an error is one line.',
  'Text and Markdown never hold control, escape or bidi characters, also in files and pipes: they will be printed by somebody. JSON (`--json`, `--format ai-sdk`) holds exactly what the session holds, with such characters escaped. `compact --json` is described by [compact-json.schema.json](compact-json.schema.json).',
  "Sizes are in tokens as the built-in estimator counts them for the session's model. What `compact` prints holds no more than `--keep`: as messages, and as the text or Markdown that is printed, also by a quarter of its bytes. As JSON the same messages take more room.",
  'Without `--keep` and `--force`, `compact` does the least that makes the session fit: nothing, pruning old tool outputs, or a summary.',
  'In text, a passage begins with a line `=== who`; in Markdown with a heading of the first level. No line inside a passage begins so.',
  'A damaged line of a session is named and left out; the rest is used.',
  'Sessions are stored in one SQLite file: that of `--store`, else of `THROUGHLINE_STORE`, else of the configuration, else `throughline/sessions.db` in the data folder: `$XDG_DATA_HOME` or `~/.local/share`, on macOS `~/Library/Application Support`, on Windows `%LOCALAPPDATA%`. The first `import` makes it; a command that only reads never does.',
  'An argument that is an existing file is a file. Any other is a session of the store: its whole name, or a beginning of at least 4 characters that no other has. What is not there either is looked for where the harnesses of this machine keep their sessions: by its id, by a beginning of it, or as `latest`, each also with the harness before it: `claude:`, `codex:`, `opencode:`, `pi:`, `copilot:`, `gemini:`, `qwen:`.',
  'Every change to the store happens whole or not at all, also when the command is stopped in the middle. `redact` and `delete` cannot be taken back: they ask in a terminal, and need `--yes` elsewhere.',
]

function fenced(text: string): string {
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\``
}
