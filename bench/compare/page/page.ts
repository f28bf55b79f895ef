import { aboutOf } from '../markdown.ts'
import { tablesOf, type Table } from '../tables.ts'
import { curveOf } from './curve.ts'
import { moneyBarsOf } from './money-bars.ts'
import { sawToothOf } from './saw-tooth.ts'
import { style } from './style.ts'
import { element, escaped } from './svg.ts'
import type { Figures } from '../figures.ts'

/** Charts, by the title of the table below them. */
const charts: Readonly<Record<string, (figures: Figures) => string>> = {
  'What survives one compaction': curveOf,
  'Money for whole sessions': (figures) => sawToothOf(figures) + moneyBarsOf(figures),
}

/** The report as one page: nothing is loaded, and it opens from disk. */
export function pageOf(figures: Figures): string {
  const sections = tablesOf(figures).map((table) =>
    element('section', {}, [
      element('h2', {}, table.title),
      element('p', { class: 'note' }, table.note),
      charts[table.title]?.(figures) ?? '',
      htmlTable(table),
    ]),
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Throughline compared with its peers</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Throughline compared with its peers</h1>
<p>${escaped(aboutOf(figures))}</p>
${sections.join('\n')}
</main>
</body>
</html>
`
}

function htmlTable({ title, head, rows }: Table): string {
  const cells = (row: readonly string[], name: string): string =>
    element(
      'tr',
      {},
      row.map((cell, column) => element(name, column === 0 ? {} : { class: 'number' }, cell)),
    )
  const wide = title === 'Who was asked' ? 'plain' : ''
  return element('div', { class: `scroll ${wide}` }, [
    element('table', {}, [
      element('thead', {}, [cells(head, 'th')]),
      element(
        'tbody',
        {},
        rows.map((row) =>
          cells(row, 'td').replace('<tr>', row.at(-1) === 'NO' ? '<tr class="missed">' : '<tr>'),
        ),
      ),
    ]),
  ])
}
