import { goalsOf } from '../goals.ts'
import { inShort, why } from '../in-short.ts'
import { aboutOf } from '../markdown.ts'
import { tablesOf, type Table } from '../tables.ts'
import { curveOf } from './curve.ts'
import { moneyBarsOf } from './money-bars.ts'
import { sawToothOf } from './saw-tooth.ts'
import { style } from './style.ts'
import { element } from './svg.ts'
import type { Figures } from '../figures.ts'

/** Charts, by the title of the table below them. */
const charts: Readonly<Record<string, (figures: Figures) => string>> = {
  'What survives one compaction': curveOf,
  'Money for whole sessions': (figures) => sawToothOf(figures) + moneyBarsOf(figures),
}

/** The report as one page: nothing is loaded, and it opens from disk. */
export function pageOf(figures: Figures): string {
  const short = inShort(figures)
  const folded = tablesOf(figures).map((table) =>
    element('details', {}, [
      element('summary', {}, [element('h2', {}, titleOf(table, figures))]),
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
${why.map((text) => element('p', { class: 'why' }, text)).join('\n')}
${element('section', {}, [
  element('h2', {}, short.title),
  element('p', { class: 'note' }, short.note),
  htmlTable(short),
])}
${element('p', { class: 'note' }, aboutOf(figures))}
${folded.join('\n')}
</main>
</body>
</html>
`
}

/** What a reader sees before unfolding: of the goals, how many were reached. */
function titleOf({ title }: Table, figures: Figures): string {
  if (title !== 'Goals') return title
  const goals = goalsOf(figures)
  return `Goals: ${goals.filter(({ met }) => met).length} of ${goals.length} reached`
}

/** Tables whose first column is read as a sentence, and may break. */
const wrapped = new Set(['In five rows', 'Goals', 'Who was asked'])

function htmlTable({ title, head, rows }: Table): string {
  const cells = (row: readonly string[], name: string): string =>
    element(
      'tr',
      {},
      row.map((cell, column) => element(name, column === 0 ? {} : { class: 'number' }, cell)),
    )
  const wide = title === 'Who was asked' ? 'plain' : ''
  return element('div', { class: `scroll ${wide} ${wrapped.has(title) ? 'wrapped' : ''}` }, [
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
