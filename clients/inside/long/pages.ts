import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { markdownTable } from '../../../bench/compare/markdown.ts'
import { columns } from './compare.ts'

const root = join(import.meta.dirname, '../../..')
const begin = '<!-- begin: npm run test:clients:long -- --record -->'
const end = '<!-- end -->'

/** The whole table, a row for each client. */
export function tableOf(rows: readonly string[][]): string {
  return markdownTable({ head: ['client', ...columns.map(({ head }) => head)], rows: [...rows] })
}

/** Writes the rows into the pages. Those of clients that were not run stay. */
export async function record(rows: readonly string[][]): Promise<void> {
  let all: string[][] = []
  await rewrite('docs/inside-clients.md', (old) => {
    const known = new Map(rowsIn(old).map((row) => [clientOf(row), row]))
    for (const row of rows) known.set(clientOf(row), [...row])
    all = [...known.values()]
    return tableOf(all)
  })
  await rewrite('README.md', () => shortTable(all))
}

async function rewrite(page: string, tableFrom: (old: string) => string): Promise<void> {
  const file = join(root, page)
  const [before, rest = ''] = (await readFile(file, 'utf8')).split(begin)
  const [old = '', ...after] = rest.split(end)
  await writeFile(file, `${before}${begin}\n\n${tableFrom(old)}\n\n${end}${after.join(end)}`)
}

function rowsIn(table: string): string[][] {
  const lines = table.split('\n').filter((line) => line.startsWith('| '))
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

function clientOf([name = '']: readonly string[]): string {
  return name.split(' ', 1)[0] ?? ''
}

/** The clients in which Throughline itself compacts or completes a summary. */
const insideOf: ReadonlySet<string> = new Set([
  'opencode',
  'pi',
  'claude-code',
  'codex',
  'qwen-code',
])

/** What a person who uses a client wants to know, and what the figure is called for them. */
const short: readonly { head: string; of: string }[] = [
  {
    head: 'requests that lack a rule, the task or the newest words',
    of: 'lack a rule, the task or the newest words',
  },
  { head: 'facts that the agent still knows', of: 'facts' },
  { head: 'changed files that it still knows', of: 'written files' },
  { head: 'summaries paid for', of: 'requests for a summary' },
]

function shortTable(rows: readonly string[][]): string {
  const at = short.map(({ of }) => 1 + columns.findIndex(({ head }) => head === of))
  return markdownTable({
    head: ['client', ...short.map(({ head }) => head)],
    rows: rows
      .filter((row) => insideOf.has(clientOf(row)))
      .map((row) => [row[0] ?? '', ...at.map((column) => row[column] ?? '')]),
  })
}
