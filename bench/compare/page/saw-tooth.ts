import { askedIn } from '../asked.ts'
import { classOf } from './curve.ts'
import { element, linear, path } from './svg.ts'
import type { Asked, Figures } from '../figures.ts'
import type { Life } from '../life.ts'

const width = 310
const height = 128
const left = 34
const right = width - 6
const top = 8
const bottom = height - 20

/** Context size over the life of the longest session, one small chart for each policy. */
export function sawToothOf(figures: Figures): string {
  const all = askedIn(figures)
  const longest = longestOf(all)
  if (!longest) return ''
  const charts = all.flatMap((one) => {
    const life = one.lives.find(({ session }) => session === longest.session)
    return life ? [chartOf(one, life, longest.requests.length, figures.window)] : []
  })
  const caption = `The session ${longest.session}: ${longest.requests.length} requests in a window of ${figures.window / 1_000}k.`
  return element('p', { class: 'note' }, caption) + element('div', { class: 'multiples' }, charts)
}

function longestOf(all: readonly Asked[]): Life | undefined {
  return all
    .flatMap(({ lives }) => lives)
    .reduce<Life | undefined>(
      (longest, life) => (life.requests.length > (longest?.requests.length ?? 0) ? life : longest),
      undefined,
    )
}

function chartOf(one: Asked, life: Life, requests: number, window: number): string {
  const x = linear([0, Math.max(requests - 1, 1)], [left, right])
  const y = linear([0, window], [bottom, top])
  const points = life.requests.map((tokens, at) => [x(at), y(tokens)] as const)
  const ticks = [0, window / 2, window].flatMap((tokens) => [
    path(
      [
        [left, y(tokens)],
        [right, y(tokens)],
      ],
      'grid',
    ),
    element('text', { x: left - 5, y: y(tokens) + 4, class: 'tick end' }, `${tokens / 1_000}k`),
  ])
  const [endX, endY] = points.at(-1) ?? [left, bottom]
  const stopped = life.stoppedAt !== undefined || life.problem !== undefined
  const end = stopped
    ? [element('text', { x: endX + 4, y: Math.max(endY, top + 8), class: 'tick' }, '✕ ended')]
    : []
  const says = `${life.compactions} compactions`
  return element('figure', {}, [
    element('figcaption', {}, [element('strong', {}, one.name), element('span', {}, says)]),
    element(
      'svg',
      { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `${one.name}: ${says}` },
      [...ticks, path(points, `line thick ${classOf(one)}`), ...end],
    ),
  ])
}
