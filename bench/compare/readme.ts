import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pooledFacts } from 'throughline/evaluation'
import { percent } from '../fidelity/goals.ts'
import { askedIn } from './asked.ts'
import { aboutOf, markdownTable } from './markdown.ts'
import type { Figures } from './figures.ts'

const path = join(import.meta.dirname, '../../README.md')
const start = '<!-- bench: written by npm run bench -->'
const end = '<!-- /bench -->'

/** The short version: forward need per size, and what the harnesses themselves kept. */
export function shortReport(figures: Figures): string {
  const asked = askedIn(figures).filter(
    ({ id, atCuts }) => id !== 'everything' && atCuts.length > 0,
  )
  const sizes = asked[0]?.atCuts.map(({ keep }) => keep) ?? []
  const stated = asked.filter(({ facts }) => facts.length > 0)
  const budgets = stated[0]?.facts.map(([first]) => first?.keep ?? 0) ?? []
  const facts = {
    head: ['facts kept, with a budget of', ...budgets.map((keep) => `${keep / 1_000}k`)],
    rows: stated.map(({ name, facts: all }) => [
      name,
      ...all.map((rows) => percent(pooledFacts(rows)?.all ?? 0)),
    ]),
  }
  const needs = {
    head: ['forward need, with a budget of', ...sizes.map((keep) => `${keep / 1_000}k`)],
    rows: asked.map(({ name, atCuts }) => [
      name,
      ...atCuts.map(({ forwardNeed, kept, keep }) => {
        const more = kept.mean > keep * 1.1 ? ` (kept ${(kept.mean / 1_000).toFixed(1)}k)` : ''
        return `${percent(forwardNeed.mean)}${more}`
      }),
    ]),
  }
  const real = {
    head: ['at the real compactions of', 'tokens kept', 'it kept', 'Throughline keeps'],
    rows: figures.harnesses.map(({ harness, few, theirs, ours }) => [
      few ? `${harness} (few)` : harness,
      `${theirs.tokens}`,
      percent(theirs.share),
      percent(ours.share),
    ]),
  }
  const tables = [...(stated.length > 0 ? [facts] : []), needs, real]
  return [aboutOf(figures), ...tables.map(markdownTable)].join('\n\n')
}

/** Puts the short version between the markers of the README. */
export function writeReadme(figures: Figures): void {
  writeFileSync(path, between(readFileSync(path, 'utf8'), shortReport(figures)))
}

/** @throws Error if the markers are not there. */
export function between(page: string, text: string): string {
  const from = page.indexOf(start)
  const to = page.indexOf(end)
  if (from < 0 || to < from) throw new Error(`README.md has no ${start} … ${end}.`)
  return `${page.slice(0, from + start.length)}\n\n${text}\n\n${page.slice(to)}`
}
