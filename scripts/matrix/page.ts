import type { Lane } from './lanes.ts'

/** What became of a lane. */
export interface Tried {
  group: Lane['group']
  name: string
  /** What was tried, if it was noted. */
  commit?: string
  passed: boolean
  /** The last line that it said, or the first of its error. */
  said: string
}

const titles: Readonly<Record<Lane['group'], string>> = {
  install: 'Installed beside',
  manager: 'Installed by',
  peer: 'Used with',
  runtime: 'Run on',
  types: 'Compiled by',
}

const introductions: Readonly<Record<Lane['group'], string>> = {
  install: '`npm i throughline` in a project that has the package already, without any flag.',
  manager:
    'A project without npm: the same work as under “Run on”, and the command `throughline --version`.',
  peer: 'The example of the door, with 12 files, against a strict provider on the same machine.',
  runtime: 'Messages compacted, a conversation fitted and a session read back.',
  types:
    'With `strict`, `exactOptionalPropertyTypes` and `skipLibCheck: false`; only errors in our declarations or in what imports them count.',
}

/** `docs/matrix.md` */
export function matrixPage(results: readonly Tried[]): string {
  const parts = (Object.keys(titles) as Lane['group'][]).map((group) => {
    const rows = results.filter((one) => one.group === group)
    return `## ${titles[group]}\n\n${introductions[group]}\n\n${table(rows)}`
  })
  const failed = results.filter(({ passed }) => !passed).length
  const commits = [...new Set(results.flatMap(({ commit }) => (commit ? [`\`${commit}\``] : [])))]
  const on =
    commits.length === 0
      ? ''
      : `\nThey were tried on ${commits.join(', ')}, each as \`docs/matrix.json\` says.`
  return `# What it is tested with

For those who want to know whether it runs where they work. The package as it is published, in a project of its own for each line: ${results.length - failed} of ${results.length} pass.${on}
\`npm run matrix\` tries them all anew, and every change tries a few of them.

${parts.join('\n\n')}
`
}

function table(rows: readonly Tried[]): string {
  const cells = rows.map(({ name, passed, said }) => [
    name,
    passed ? said : `**fails**: ${said.replaceAll('|', '\\|').slice(0, 120)}`,
  ])
  const all = [['with', 'result'], ...cells]
  const widths = [0, 1].map((column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  const line = (row: readonly string[]): string =>
    `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width)).join(' | ')} |`
  return [
    line(['with', 'result']),
    line(widths.map((width) => '-'.repeat(width))),
    ...cells.map(line),
  ].join('\n')
}
