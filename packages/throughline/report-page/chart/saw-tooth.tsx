import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import UPlot from 'uplot'
import { entryHash } from '../data.ts'
import { counted, dollars, moment, percent, short, whole } from '../numbers.ts'
import { kindNames } from '../words.ts'
import { coloursOf, dataOf, heightOf, optionsFor, stacked, topOf, type Shown } from './plot.ts'
import type { ReportModel } from '../../src/report/model.ts'

interface ChartProps {
  model: ReportModel
  /** Changes when the colours do. */
  theme: string
}

/**
 * The size of every request over the session. Pointing at it tells the step, dragging zooms in, and
 * the arrow keys do the same without a mouse.
 */
export function SawTooth({ model, theme }: ChartProps) {
  const { requests, compactions, window } = model
  const [shown, setShown] = useState<Shown>('window')
  const [at, setAt] = useState(requests.seq.length - 1)
  const [zoom, setZoom] = useState<readonly [number, number] | undefined>()
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<UPlot>()
  const scaling = useRef(false)
  const data = useMemo(() => dataOf(model, shown), [model, shown])
  const count = requests.seq.length
  const hasMoney = model.money.dollars !== null

  useEffect(() => {
    const box = place.current
    if (!box || count === 0) return undefined
    const colours = coloursOf(box)
    const pointAt = (index: number): void => {
      if (!scaling.current) setAt(index)
    }
    const made = new UPlot(
      optionsFor({ model, shown, colours, width: box.clientWidth, setAt: pointAt, setZoom }),
      data,
      box,
    )
    plot.current = made
    const watch = new ResizeObserver(() =>
      made.setSize({ width: box.clientWidth, height: heightOf(box) }),
    )
    watch.observe(box)
    return () => {
      watch.disconnect()
      made.destroy()
    }
  }, [data, theme])

  useEffect(() => {
    const made = plot.current
    if (!made) return
    const [min, max] = zoom ?? [1, Math.max(count, 2)]
    // The same place on the screen is another request then; the one that was chosen stays.
    scaling.current = true
    made.batch(() => made.setScale('x', { min, max }))
    scaling.current = false
    made.setCursor({ left: made.valToPos(at + 1, 'x'), top: -10 }, false)
  }, [zoom, data, theme])

  if (count === 0) return <p class="quiet">No request to a model is in this session.</p>

  const show = (index: number): void => {
    const next = Math.min(Math.max(index, 0), count - 1)
    setAt(next)
    const made = plot.current
    if (made) made.setCursor({ left: made.valToPos(next + 1, 'x'), top: -10 }, false)
  }

  const onKey = (event: KeyboardEvent): void => {
    const [from, to] = zoom ?? [1, count]
    const step = event.shiftKey ? Math.max(Math.round((to - from) / 20), 1) : 1
    const moves: Record<string, () => void> = {
      ArrowRight: () => show(at + step),
      ArrowLeft: () => show(at - step),
      Home: () => show(Math.ceil(from) - 1),
      End: () => show(Math.floor(to) - 1),
      '+': () => setZoom(zoomed(at + 1, (to - from) / 2, count)),
      '-': () => setZoom(zoomed(at + 1, (to - from) * 2, count)),
      Escape: () => setZoom(undefined),
      Enter: () => void (location.hash = entryHash(requests.seq[at] ?? 0)),
    }
    const move = moves[event.key]
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    move()
  }

  return (
    <div class="chart">
      <div class="chart-bar">
        {hasMoney && (
          <div class="switch" role="group" aria-label="What the chart shows">
            <button
              type="button"
              aria-pressed={shown === 'window'}
              onClick={() => setShown('window')}
            >
              Tokens in the window
            </button>
            <button
              type="button"
              aria-pressed={shown === 'money'}
              onClick={() => setShown('money')}
            >
              Dollars so far
            </button>
          </div>
        )}
        {zoom ? (
          <button type="button" class="reset" onClick={() => setZoom(undefined)}>
            Show all {whole(count)} requests
          </button>
        ) : (
          <span class="quiet chart-hint">Drag to zoom. Arrow keys step, Enter opens.</span>
        )}
      </div>
      <div
        ref={place}
        class="plot"
        role="slider"
        tabIndex={0}
        aria-label={`Requests over the session: ${counted(count, 'request')}, ${counted(compactions.length, 'compaction')}`}
        aria-valuemin={1}
        aria-valuemax={count}
        aria-valuenow={at + 1}
        aria-valuetext={textAt(model, at)}
        onKeyDown={onKey}
      />
      <Readout model={model} at={at} />
      {shown === 'window' && (
        <ul class="legend" aria-label="What fills it">
          {stacked.map((kind) => (
            <li>
              <i class={`swatch kind-${kind}`} />
              {kindNames[kind]}
            </li>
          ))}
          <li>
            {window.usable <= topOf(model) && <i class="swatch limit" />}
            Usable: {short(window.usable)}
            {window.usable <= topOf(model) ? '' : ', far above'}
          </li>
          {compactions.length > 0 && (
            <li>
              <i class="swatch shrunk" />
              Compaction
            </li>
          )}
        </ul>
      )}
    </div>
  )
}

/** What one request held, and what it cost. */
function Readout({ model, at }: { model: ReportModel; at: number }) {
  const { requests, window } = model
  const seq = requests.seq[at]
  if (seq === undefined) return null
  const tokens = requests.tokens[at] ?? 0
  const cost = requests.dollars[at]
  const parts = stacked
    .map((kind) => ({ kind, tokens: requests.kinds[kind][at] ?? 0 }))
    .filter((part) => part.tokens >= 0.5)
    .sort((one, other) => other.tokens - one.tokens)
  const cached = requests.cacheRead[at] ?? 0
  return (
    <div class="readout" data-request={at + 1}>
      <div class="readout-head">
        <a href={entryHash(seq)}>Request {whole(at + 1)}</a>
        <span>{moment(requests.at[at] ?? 0)}</span>
        <strong>
          {whole(tokens)} tokens{requests.counted[at] ? '' : ', estimated'}
        </strong>
        <span>{percent(tokens, window.usable)} of usable</span>
        <span>{percent(cached, tokens)} from cache</span>
        {cost !== null && cost !== undefined && <strong>{dollars(cost)}</strong>}
      </div>
      <div class="readout-parts">
        {parts.map((part) => (
          <span>
            <i class={`swatch kind-${part.kind}`} />
            {kindNames[part.kind]} {short(part.tokens)}
          </span>
        ))}
      </div>
    </div>
  )
}

function textAt({ requests }: ReportModel, at: number): string {
  const cost = requests.dollars[at]
  const money = cost === null || cost === undefined ? '' : `, ${dollars(cost)}`
  return `Request ${at + 1}: ${whole(requests.tokens[at] ?? 0)} tokens${money}`
}

function zoomed(
  middle: number,
  width: number,
  count: number,
): readonly [number, number] | undefined {
  if (width >= count - 1) return undefined
  const half = Math.max(width, 4) / 2
  const from = Math.min(Math.max(middle - half, 1), Math.max(count - 2 * half, 1))
  return [from, Math.min(from + 2 * half, count)]
}
