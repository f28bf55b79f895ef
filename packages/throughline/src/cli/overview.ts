import type { Listed } from './commands.ts'

/** The help of the whole command. */
export function overview(commands: readonly Listed[]): string {
  return [
    'throughline makes the session of an agent fit its window again.',
    '',
    'Usage: throughline <command> [arguments] [options]',
    '',
    ...groupLines(commands),
    '<session> is the file in which Claude Code, Codex or another client keeps a session; its',
    'format is told by what is in it. - is standard input. A file is never changed. Any other',
    'word is the name of a session in the store, else an id that throughline list shows, or the',
    'beginning of one; latest is the newest session of all, codex:latest that of Codex.',
    '',
    'Options:',
    '  -h, --help     Show this help, or that of a command.',
    '  -V, --version  Show the version.',
    '',
    'Exit codes: 0 done, 1 could not be done, 2 wrong usage, 130 interrupted.',
    'Environment: THROUGHLINE_STORE, the file of the session store; NO_COLOR, FORCE_COLOR;',
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
