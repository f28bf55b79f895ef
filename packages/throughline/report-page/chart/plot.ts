import { kinds, type Kind, type ReportModel } from '../../src/report/model.ts'
import { dollars, short, whole } from '../numbers.ts'
import type UPlot from 'uplot'

/** What the chart shows. */
export type Shown = 'window' | 'money'

/** From the bottom up: what stays the same lies below what grows. */
export const stacked: readonly Kind[] = kinds

export function dataOf({ requests }: ReportModel, shown: Shown): UPlot.AlignedData {
  const steps = requests.seq.map((_, index) => index + 1)
  if (shown === 'money') {
    let sum = 0
    return [steps, requests.dollars.map((each) => (sum += each ?? 0))]
  }
  const sums = new Float64Array(steps.length)
  const layers = stacked.map((kind) =>
    requests.kinds[kind].map((tokens, index) => (sums[index] = (sums[index] ?? 0) + tokens)),
  )
  // The highest is drawn first, so that each lies on those below it.
  return [steps, ...layers.toReversed()]
}

export interface Colours {
  text: string
  faint: string
  line: string
  limit: string
  mark: string
  kinds: Record<Kind, string>
}

/** The colours as the style sheet has them now, for a canvas that cannot read it. */
export function coloursOf(box: HTMLElement): Colours {
  const probe = document.createElement('i')
  box.append(probe)
  const read = (name: string): string => {
    probe.style.color = `var(--${name})`
    return getComputedStyle(probe).color
  }
  const all = {
    text: read('quiet'),
    faint: read('line'),
    line: read('accent'),
    limit: read('bad'),
    mark: read('bad'),
    kinds: Object.fromEntries(
      stacked.map((kind) => [kind, read(`kind-${kind}`)]),
    ) as Colours['kinds'],
  }
  probe.remove()
  return all
}

export function heightOf(box: HTMLElement): number {
  return box.clientWidth < 600 ? 200 : 300
}

/** What the chart is high. A window ten times as large as the session would press it flat. */
export function topOf({ window, requests }: ReportModel): number {
  const largest = requests.tokens.reduce((most, each) => Math.max(most, each), 1)
  return window.usable <= largest * 3 ? Math.max(largest, window.usable) * 1.04 : largest * 1.08
}

export function optionsFor({
  model,
  shown,
  colours,
  width,
  setAt,
  setZoom,
}: {
  model: ReportModel
  shown: Shown
  colours: Colours
  width: number
  setAt: (at: number) => void
  setZoom: (zoom: readonly [number, number] | undefined) => void
}): UPlot.Options {
  const count = model.requests.seq.length
  const top = topOf(model)
  const series: UPlot.Series[] =
    shown === 'money'
      ? [
          {
            stroke: colours.line,
            width: 2,
            fill: `color-mix(in srgb, ${colours.line} 15%, transparent)`,
          },
        ]
      : stacked.toReversed().map((kind) => ({
          stroke: colours.kinds[kind],
          fill: colours.kinds[kind],
          width: 1,
        }))
  return {
    width,
    height: width < 600 ? 200 : 300,
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: true, y: false, setScale: false },
      points: { show: false },
      bind: { dblclick: () => () => (setZoom(undefined), null) },
    },
    scales: {
      x: { time: false, auto: false, min: 1, max: Math.max(count, 2) },
      y:
        shown === 'money'
          ? { range: (_, __, most) => [0, Math.max(most, 0.01) * 1.05] }
          : { range: () => [0, top] },
    },
    axes: [
      axis(colours, {
        values: (_, ticks) => ticks.map((tick) => (tick % 1 === 0 ? whole(tick) : '')),
      }),
      axis(colours, {
        size: 56,
        values: (_, ticks) =>
          ticks.map((tick) => (shown === 'money' ? dollars(tick) : short(tick))),
      }),
    ],
    series: [{}, ...series.map((each) => ({ ...each, points: { show: false } }))],
    hooks: {
      setCursor: [
        ({ cursor: { idx } }) => {
          if (idx !== null && idx !== undefined) setAt(idx)
        },
      ],
      setSelect: [
        (plot) => {
          const { left, width: wide } = plot.select
          if (wide < 6) return
          const from = Math.max(plot.posToVal(left, 'x'), 1)
          const to = Math.min(plot.posToVal(left + wide, 'x'), count)
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
          if (to - from >= 1) setZoom([from, to])
        },
      ],
      draw: [(plot) => drawMarks(plot, model, shown, colours)],
    },
  }
}

function axis(colours: Colours, more: UPlot.Axis): UPlot.Axis {
  return {
    stroke: colours.text,
    grid: { stroke: colours.faint, width: 1 },
    ticks: { stroke: colours.faint, width: 1 },
    font: '12px system-ui, sans-serif',
    ...more,
  }
}

/** The line that a request must not pass, and where the context was made smaller. */
function drawMarks(
  { ctx, bbox, valToPos, scales }: UPlot,
  { window, compactions }: ReportModel,
  shown: Shown,
  colours: Colours,
): void {
  const pixels = devicePixelRatio
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, 0, bbox.width, bbox.top + bbox.height)
  ctx.clip()
  ctx.lineWidth = 1.5 * pixels
  if (shown === 'window' && window.usable <= (scales['y']?.max ?? 0)) {
    const y = valToPos(window.usable, 'y', true)
    ctx.strokeStyle = colours.limit
    ctx.setLineDash([6 * pixels, 4 * pixels])
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
  }
  ctx.setLineDash([2 * pixels, 3 * pixels])
  ctx.strokeStyle = colours.mark
  ctx.fillStyle = colours.mark
  ctx.font = `600 ${11 * pixels}px system-ui, sans-serif`
  ctx.textAlign = 'center'
  const numbered = compactions.length <= 40
  compactions.forEach(({ request, kind }, index) => {
    const x = valToPos(request + 0.5, 'x', true)
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
    if (numbered && kind === 'summary') ctx.fillText(`${index + 1}`, x, bbox.top - 3 * pixels)
  })
  ctx.restore()
}
