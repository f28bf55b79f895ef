import { expect, test } from 'vitest'
import { about, askedWith, figuresOf } from '../hand-made-figures.ts'
import { markdownOf } from '../markdown.ts'
import { pageOf } from './page.ts'
import type { Growth } from '../growth.ts'
import type { Life } from '../life.ts'

const life: Life = {
  session: 'here',
  policy: 'any',
  requests: [1_000, 60_000, 9_000],
  summaryTokens: 0,
  compactions: 1,
  dollars: 2,
  summaryDollars: 1,
  needed: 10,
  held: 5,
}
const figures = figuresOf([
  askedWith('throughline', 0.95, { lives: [life] }),
  askedWith('other', 0.5, {
    name: 'other <script>alert(1)</script> & "more"',
    about,
    lives: [{ ...life, stoppedAt: 3 }],
  }),
  { id: 'gone', problem: 'It could not be loaded | here.' },
])

test('the page loads nothing and runs nothing', () => {
  const page = pageOf(figures)
  expect(page).not.toMatch(/<script|<link|<img|@import|url\(|https?:\/\//)
  expect(page).toContain('other &lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;more&quot;')
  expect(page).toContain('prefers-color-scheme: dark')
})

test('every chart has everyone in it', () => {
  const page = pageOf(figures)
  expect(page.match(/<svg/g)).toHaveLength(4)
  expect(page.match(/class="dot throughline"/g)).toHaveLength(1)
  expect(page.match(/class="dot trims"/g)).toHaveLength(1)
  expect(page).toContain('✕ ended')
  expect(page).toContain('$3.00, forward need 50.0%')
})

test('the page begins with what is measured and why, then a row for each peer, and folds the rest', () => {
  const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((id, at) =>
    askedWith(id, at / 10, { name: `engine ${id}`, about }),
  )
  const page = pageOf(figuresOf([askedWith('throughline', 0.95), ...many]))
  const open = page.slice(page.indexOf('<h1>'), page.indexOf('<details'))
  expect(open.indexOf('what it needs next?')).toBeGreaterThan(0)
  expect(open.indexOf('what it needs next?')).toBeLessThan(open.indexOf('<table>'))
  const [, body = ''] = open.split('<tbody>')
  expect([...body.matchAll(/<tr><td>([^<]*)/g)].map(([, name]) => name)).toEqual([
    'engine f',
    'engine e',
    'engine d',
    'engine c',
    'engine b',
    'engine a',
  ])
  expect(page.match(/<details>/g)?.length).toBe([...page.matchAll(/<h2>/g)].length - 1)
})

test('the goals come last, and say folded how many were reached', () => {
  const page = pageOf(figures)
  const titles = [...page.matchAll(/<h2>([^<]*)/g)].map(([, title]) => title)
  expect(titles.at(-1)).toMatch(/^Goals: \d+ of \d+ reached$/)
  expect(markdownOf(figures).lastIndexOf('\n## ')).toBe(markdownOf(figures).indexOf('\n## Goals'))
})

test('speed and growth have tables where they were measured, and are said to be missing elsewhere', () => {
  const spread = { least: 1.5, median: 2, most: 2.5 }
  const sizes: Growth['sizes'] = [
    { copies: 1, time: 1 },
    { copies: 16, problem: 'gave up after 60 s' },
  ]
  const speed = {
    peer: 'other',
    work: 'trims' as const,
    beside: 'pruning',
    time: spread,
    memory: spread,
  }
  const grown: Growth = { peer: 'other', work: 'trims', sizes }
  const timed = askedWith('other', 0.5, {
    about,
    speed: { ...speed, work: 'trims' },
    growth: grown,
  })
  const ours: Growth = { ...grown, peer: 'throughline' }
  const whole = { ...figuresOf([askedWith('throughline', 0.95), timed]), growth: [ours] }
  const page = pageOf(whole)
  expect(page).toContain('<h2>Speed and memory</h2>')
  expect(page).toContain('>2.00 (1.50 to 2.50)<')
  expect(page).toContain('<h2>How time grows</h2>')
  expect(page).toContain('>gave up after 60 s<')
  expect(page).not.toContain('were not measured in this run')
  expect(pageOf(figures)).toContain('Speed and growth were not measured in this run.')
  expect(pageOf(figures)).not.toContain('<h2>Speed and memory</h2>')
})

test('no number in a chart is broken', () => {
  expect(pageOf(figures)).not.toMatch(/NaN|Infinity|undefined/)
  expect(pageOf(figuresOf([]))).not.toMatch(/NaN|Infinity|undefined/)
})

test('page and Markdown have the same figures', () => {
  const markdown = markdownOf(figures)
  const cells = [...markdown.matchAll(/^\| (.*) \|$/gm)]
    .flatMap(([, row = '']) => row.split(/(?<!\\)\|/))
    .map((cell) => cell.trim().replaceAll('\\|', '|'))
    .filter((cell) => /\d/.test(cell) && !/[<&"]/.test(cell))
  expect(cells.length).toBeGreaterThan(20)
  const page = pageOf(figures)
  for (const cell of cells) expect(page).toContain(`>${cell}<`)
})

test('who could not be asked has a row that says why', () => {
  expect(markdownOf(figures)).toContain('Not measured: It could not be loaded \\| here.')
})
