import type { Listed } from './commands.ts'

/** The help of the whole command. */
export function overview(commands: readonly Listed[]): string {
  return [
    'throughline compacts an agent’s session so that it fits its model’s window.',
    '',
    'Usage: throughline <command> [arguments] [options]',
    '',
    ...groupLines(commands),
    '<session> is a file in which Claude Code, Codex or another client keeps a session. Its',
    'format is detected from its content, and the file is never changed. - means standard',
    'input. Any other word names a session in the store, or is an id from throughline list',
    'or the beginning of one. latest is the newest session, codex:latest the newest of Codex.',
    '',
    'Options:',
    '  -h, --help     Show this help, or that of a command.',
    '  -V, --version  Show the version.',
    '',
    'Exit codes: 0 success, 1 failure, 2 wrong usage, 130 interrupted.',
    'Environment: THROUGHLINE_STORE is the session store’s file; NO_COLOR, FORCE_COLOR;',
    'THROUGHLINE_DEBUG=1 shows where an error came from.',
    '',
  ].join('\n')
}

function groupLines(commands: readonly Listed[]): string[] {
  const widest = Math.max(...commands.map(({ name }) => name.length))
  const groups = Map.groupBy(commands, ({ group }) => group)
  return [...groups].flatMap(([group, members]) => [
    `${group}:`,
    ...members.map(({ name, summary }) => `  ${name.padEnd(widest)}  ${summary}`),
    '',
  ])
}
