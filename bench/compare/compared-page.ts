import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { percent } from '../fidelity/goals.ts'
import { inShort } from './in-short.ts'
import { aboutOf, markdownTable } from './markdown.ts'
import type { Figures } from './figures.ts'

const path = join(import.meta.dirname, '../../docs/compared.md')
const start = '<!-- bench: written by npm run bench -->'
const end = '<!-- /bench -->'

/** The short version: each engine like with like, and what the clients themselves kept. */
export function shortReport(figures: Figures): string {
  const short = inShort(figures)
  const real = {
    head: ['at the real compactions of', 'tokens kept', 'names it kept', 'Throughline keeps'],
    rows: figures.harnesses.map(({ harness, few, theirs, ours }) => [
      few ? `${harness} (few)` : harness,
      `${theirs.tokens}`,
      percent(theirs.share),
      percent(ours.share),
    ]),
  }
  const parts = [aboutOf(figures), short.note, markdownTable(short)]
  return [...parts, ...(real.rows.length > 0 ? [markdownTable(real)] : [])].join('\n\n')
}

/** Puts the short version between the markers of docs/compared.md. */
export function writeComparedPage(figures: Figures): void {
  writeFileSync(path, between(readFileSync(path, 'utf8'), shortReport(figures)))
}

/** @throws Error if the markers are not there. */
export function between(page: string, text: string): string {
  const from = page.indexOf(start)
  const to = page.indexOf(end)
  if (from < 0 || to < from) throw new Error(`docs/compared.md has no ${start} … ${end}.`)
  return `${page.slice(0, from + start.length)}\n\n${text}\n\n${page.slice(to)}`
}
