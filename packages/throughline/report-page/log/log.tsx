import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { whole } from '../numbers.ts'
import { blocksOf, holds, type LogBlock, type Target } from './blocks.ts'
import { EntryView } from './entry-view.tsx'
import type { Seq } from '../../src/log/entry.ts'
import type { ReportModel } from '../../src/report/model.ts'

const chunkSize = 30
// What one block is high on average, until it is drawn.
const usualHeight = 90

const filters = {
  all: { name: 'All', takes: () => true },
  talk: {
    name: 'What was said',
    takes: ({ entry }: LogBlock) =>
      entry.what === 'human' ||
      (entry.what === 'model' && entry.parts.some(({ type }) => type === 'text')),
  },
  tools: {
    name: 'Tools',
    takes: ({ entry }: LogBlock) => entry.parts.some(({ type }) => type === 'call'),
  },
  gone: {
    name: 'Not in the context',
    takes: ({ entry }: LogBlock) =>
      entry.now === 'gone' || entry.now === 'pruned' || entry.now === 'rewound',
  },
  changes: {
    name: 'Compactions and notes',
    takes: ({ entry }: LogBlock) => entry.now === 'never' || entry.what === 'pin',
  },
} as const

type Filter = keyof typeof filters

/** The log, drawn as far as somebody has scrolled. */
export function Log({ model, target }: { model: ReportModel; target: Target | undefined }) {
  const [filter, setFilter] = useState<Filter>('all')
  const all = useMemo(() => blocksOf(model.entries), [model.entries])
  const blocks = useMemo(() => all.filter(filters[filter].takes), [all, filter])
  const chunks = useMemo(() => chunksOf(blocks), [blocks])
  const carried = useMemo(
    () => new Map(model.money.carried.map((each) => [each.seq, each])),
    [model.money.carried],
  )
  const notes = useMemo(() => {
    const bySeq = new Map<Seq, { seq: Seq; text: string }[]>()
    for (const { of, seq, text } of model.annotations) {
      bySeq.set(of, [...(bySeq.get(of) ?? []), { seq, text }])
    }
    return bySeq
  }, [model.annotations])
  const pinned = useMemo(
    () =>
      new Map(
        model.pins.flatMap(({ seq, ref }): [Seq, Seq][] =>
          ref === undefined ? [] : [[Number(ref.split('.', 1)[0]), seq]],
        ),
      ),
    [model.pins],
  )
  const wanted =
    target && chunks.findIndex((chunk) => chunk.some((block) => holds(block, target.seq)))

  useEffect(() => {
    // What a filter hides is shown again when somebody jumps to it.
    if (target && wanted === -1 && filter !== 'all') setFilter('all')
  }, [target, wanted])

  return (
    <section id="log" aria-label="The log">
      <h2>
        The log <span class="count">{whole(model.entries.length)} entries</span>
      </h2>
      <div class="switch wraps" role="group" aria-label="What of the log is shown">
        {(Object.keys(filters) as Filter[]).map((each) => (
          <button type="button" aria-pressed={filter === each} onClick={() => setFilter(each)}>
            {filters[each].name}
          </button>
        ))}
      </div>
      {blocks.length === 0 && <p class="quiet">There is nothing of it.</p>}
      {chunks.map((chunk, index) => (
        <Chunk
          key={`${filter} ${chunk[0]?.entry.seq}`}
          blocks={chunk}
          target={index === wanted ? target : undefined}
          first={index === 0}
          carried={carried}
          notes={notes}
          pinned={pinned}
        />
      ))}
    </section>
  )
}

function chunksOf(blocks: readonly LogBlock[]): LogBlock[][] {
  const chunks: LogBlock[][] = []
  for (let at = 0; at < blocks.length; at += chunkSize)
    chunks.push(blocks.slice(at, at + chunkSize))
  return chunks
}

interface ChunkProps {
  blocks: readonly LogBlock[]
  target: Target | undefined
  first: boolean
  carried: ReadonlyMap<Seq, { times: number; dollars: number | null }>
  notes: ReadonlyMap<Seq, { seq: Seq; text: string }[]>
  pinned: ReadonlyMap<Seq, Seq>
}

function Chunk({ blocks, target, first, carried, notes, pinned }: ChunkProps) {
  const [drawn, setDrawn] = useState(first)
  const place = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const box = place.current
    if (drawn || !box) return undefined
    const watch = new IntersectionObserver(
      (seen) => seen.some(({ isIntersecting }) => isIntersecting) && setDrawn(true),
      { rootMargin: '1200px' },
    )
    watch.observe(box)
    return () => watch.disconnect()
  }, [drawn])

  const isDrawn = drawn || target !== undefined
  useEffect(() => {
    if (target && !drawn) setDrawn(true)
  }, [target])

  if (!isDrawn) {
    return (
      <div ref={place} class="undrawn" style={{ height: `${blocks.length * usualHeight}px` }} />
    )
  }
  return (
    <div ref={place}>
      {blocks.map((block) => (
        <EntryView
          key={block.entry.seq}
          block={block}
          target={target && holds(block, target.seq) ? target : undefined}
          carried={carried}
          notes={notes}
          pinned={pinned}
        />
      ))}
    </div>
  )
}
