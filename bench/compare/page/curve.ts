import { percent } from '../../fidelity/goals.ts'
import { askedIn } from '../asked.ts'
import { element, linear, logarithmic, path, type Scale } from './svg.ts'
import type { Asked, Figures } from '../figures.ts'

const width = 960
const height = 460
const left = 52
const right = width - 16
const top = 14
const bottom = height - 46

/** Tokens from the least to the most that is drawn. */
const tokens = [1_000, 128_000] as const

interface Point {
  tokens: number
  share: number
}

interface Series {
  name: string
  className: string
  /** What its points carry: a number that the legend explains, or nothing. */
  mark: string
  points: Point[]
}

/** Fidelity against tokens kept: Throughline and the baselines as curves, everyone else as points. */
export function curveOf(figures: Figures): string {
  const x = logarithmic(tokens, [left, right])
  const y = linear([0, 1], [bottom, top])
  const series = seriesOf(figures)
  const drawn = [...axes(x, y), ...series.map((one) => drawSeries(one, x, y))]
  const label = 'Forward need against tokens kept'
  const svg = element(
    'svg',
    { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label },
    drawn,
  )
  return element('div', { class: 'chart' }, [svg]) + legend(series)
}

function seriesOf(figures: Figures): Series[] {
  let peers = 0
  const asked = askedIn(figures)
    .filter(({ id }) => id !== 'everything')
    .map((one) => {
      const className = classOf(one)
      const mark = className === 'summarizes' || className === 'trims' ? `${++peers}` : ''
      return { name: one.name, className, mark, points: pointsOf(one) }
    })
  const real = figures.harnesses.map(({ harness, theirs }, at) => ({
    name: `${harness}, as recorded`,
    className: 'recorded',
    mark: String.fromCharCode('A'.charCodeAt(0) + at),
    points: [{ tokens: theirs.tokens, share: theirs.share }],
  }))
  return [...asked, ...real].filter(({ points }) => points.length > 0)
}

/** How a contestant is drawn in every chart. */
export function classOf({ id, about }: Pick<Asked, 'id' | 'about'>): string {
  if (about) return about.work
  if (id === 'throughline-early') return 'throughline'
  return id === 'throughline' || id === 'throughline-model' || id === 'seeds' ? id : 'baseline'
}

function pointsOf({ atCuts }: Asked): Point[] {
  return atCuts
    .filter(({ forwardNeed }) => forwardNeed.cuts > 0)
    .map(({ kept, forwardNeed }) => ({ tokens: kept.mean, share: forwardNeed.mean }))
    .sort((a, b) => a.tokens - b.tokens)
}

function axes(x: Scale, y: Scale): string[] {
  const shares = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
    path(
      [
        [left, y(share)],
        [right, y(share)],
      ],
      'grid',
    ),
    element('text', { x: left - 8, y: y(share) + 4, class: 'tick end' }, `${share * 100}%`),
  ])
  const sizes = [1, 2, 4, 8, 16, 32, 64, 128].map((size) =>
    element('text', { x: x(size * 1_000), y: bottom + 20, class: 'tick middle' }, `${size}k`),
  )
  const title = 'tokens kept, mean over all cuts (bytes/4)'
  return [
    ...shares,
    ...sizes,
    element('text', { x: (left + right) / 2, y: height - 6, class: 'tick middle' }, title),
  ]
}

function drawSeries({ name, className, mark, points }: Series, x: Scale, y: Scale): string {
  const places = points.map(({ tokens, share }) => [x(tokens), y(share)] as const)
  const dots = points.map(({ tokens, share }, at) => {
    const [cx, cy] = places[at] ?? [0, 0]
    const says = `${name}: ${percent(share)} with ${tokens} tokens`
    const r = mark === '' ? 4.5 : 8.5
    return element('g', {}, [
      element('title', {}, says),
      element('circle', { cx, cy, r, class: `dot ${className}` }),
      mark === '' ? '' : element('text', { x: cx, y: cy + 3.5, class: 'mark middle' }, mark),
    ])
  })
  return element('g', {}, [path(places, `line ${className}`), ...dots])
}

function legend(series: readonly Series[]): string {
  const items = series.map(({ name, className, mark }) =>
    element('li', {}, [
      element('span', { class: `swatch ${className}` }, mark),
      element('span', {}, name),
    ]),
  )
  return element('ul', { class: 'legend' }, items)
}
