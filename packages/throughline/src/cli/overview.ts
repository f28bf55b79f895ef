import type { Listed } from './command.ts'

// As wide as the help of a command; in a narrower terminal, as wide as that.
const usualWidth = 80

export function overview(commands: readonly Listed[], columns = usualWidth): string {
  const width = Math.min(columns, usualWidth)
  return [
    ...plainWrap(
      'throughline compacts an agent’s session so that it fits its model’s window.',
      width,
    ),
    '',
    'Usage: throughline <command> [arguments] [options]',
    '',
    ...groupLines(commands, width),
    ...plainWrap(
      '<session> is a file in which a client (also called a harness), such as Claude Code or Codex, keeps a session. Its format is detected from its content, and the file is never changed. - means standard input. Any other word names a session in the store, or is an id from throughline list or the beginning of one. latest is the newest session; codex:latest is the newest session of Codex.',
      width,
    ),
    '',
    'Options:',
    '  -h, --help     Show this help, or that of a command.',
    '  -v, --version  Show the version.',
    '',
    'Exit codes: 0 success, 1 failure, 2 wrong usage, 130 interrupted.',
    ...plainWrap(
      'Environment: THROUGHLINE_STORE is the session store’s file; NO_COLOR and FORCE_COLOR turn colors off and on; THROUGHLINE_DEBUG=1 shows where an error came from.',
      width,
    ),
    '',
  ].join('\n')
}

function groupLines(commands: readonly Listed[], width: number): string[] {
  const widest = Math.max(...commands.map(({ name }) => name.length))
  const groups = Map.groupBy(commands, ({ group }) => group)
  return [...groups].flatMap(([group, members]) => [
    `${group}:`,
    ...members.flatMap(({ name, summary }) => {
      const lines = plainWrap(summary, width - widest - 4)
      return lines.map((line, index) => `  ${(index === 0 ? name : '').padEnd(widest)}  ${line}`)
    }),
    '',
  ])
}

/**
 * A text divided at its spaces into lines of at most `width` characters, the later ones indented. For
 * our own words, which take a column for each character, where nothing else is loaded.
 */
function plainWrap(text: string, width: number, indent = 0): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    const room = lines.length === 0 ? width : width - indent
    if (line === '' || seenLength(longer) <= room) line = longer
    else {
      lines.push(line)
      line = word
    }
  }
  const margin = ' '.repeat(indent)
  return [...lines, line].map((each, index) => (index === 0 ? each : margin + each))
}

/** The columns of a text on a terminal: what sets colors takes none. */
export function seenLength(text: string): number {
  return text.includes('\x1b')
    ? process.getBuiltinModule('node:util').stripVTControlCharacters(text).length
    : text.length
}

/** The lines of a text, each divided at its spaces where it is too long, with its indent. */
export function wrapLines(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => {
      if (seenLength(line) <= width) return [line]
      const margin = /^ */.exec(line)?.[0] ?? ''
      const lines = plainWrap(line.slice(margin.length), width - margin.length)
      return lines.map((each) => margin + each)
    })
    .join('\n')
}
