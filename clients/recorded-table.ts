import { join } from 'node:path'
import { readFile, writeFile } from 'node:fs/promises'
import { markdownTable } from '../bench/compare/markdown.ts'

export interface Recorded {
  head: readonly string[]
  rows: readonly (readonly string[])[]
}

const end = '<!-- end -->'

/**
 * Writes a table between the marks that name its command in a page, and returns all of it. Rows and
 * columns that were not run stay: a row is known by its first cell without a version.
 */
export async function recordTable(
  page: string,
  command: string,
  { head, rows }: Recorded,
): Promise<Recorded> {
  const file = join(import.meta.dirname, '..', page)
  const begin = `<!-- begin: npm run ${command} -->`
  const [before = '', rest = ''] = (await readFile(file, 'utf8')).split(begin)
  const [written = '', ...after] = rest.split(end)
  const old = tableIn(written)
  const [title = '', ...columns] = head
  const all = [title, ...new Set([...old.head.slice(1), ...columns])]
  const names = [...new Set([...old.rows, ...rows].map(nameOf))]
  const merged = names.map((name) => {
    const now = rows.find((row) => nameOf(row) === name)
    const known = old.rows.find((row) => nameOf(row) === name)
    return all.map((column, at) => {
      const place = at === 0 ? 0 : old.head.indexOf(column)
      return now?.[head.indexOf(column)] ?? known?.[place] ?? 'not run'
    })
  })
  const table = markdownTable({ head: all, rows: merged })
  await writeFile(file, `${before}${begin}\n\n${table}\n\n${end}${after.join(end)}`)
  return { head: all, rows: merged }
}

function nameOf([name = '']: readonly string[]): string {
  return name.replace(/ \d+(?:\.\d+)*$/, '')
}

function tableIn(text: string): Recorded {
  const [head = [], , ...rows] = text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  return { head, rows }
}
