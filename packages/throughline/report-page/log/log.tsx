import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { whole, dollars, moment, short } from '../numbers.ts'
import { blocksOf, holds, type LogBlock, type Target } from './blocks.ts'
import type { Seq } from '../../src/log/entry.ts'
import type { ReportModel, LoggedEntry } from '../../src/report/model.ts'
import { entryHash } from '../data.ts'
import { whatNames } from '../words.ts'
import { Part } from './part.tsx'

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
  pinned: ReadonlyMap<Seq, Seq>
}

function Chunk({ blocks, target, first, carried, pinned }: ChunkProps) {
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
          pinned={pinned}
        />
      ))}
    </div>
  )
}

interface EntryProps {
  block: LogBlock
  target: Target | undefined
  carried: ReadonlyMap<Seq, { times: number; dollars: number | null }>
  /** The pin of each pinned entry. */
  pinned: ReadonlyMap<Seq, Seq>
}

/** One message of the log; a step with its calls folded. */
function EntryView({ block, target, carried, pinned }: EntryProps) {
  const { entry, brought } = block
  const place = useRef<HTMLElement>(null)

  useEffect(() => {
    const box = place.current
    if (!target || !box) return
    const here = box.querySelector<HTMLElement>(`[data-seq="${target.seq}"]`) ?? box
    here.scrollIntoView({ block: 'start' })
    box.focus({ preventScroll: true })
    if (target.words) markWords(box, target.words)
  }, [target])

  const all = [entry, ...brought]
  const tokens = all.reduce((sum, each) => sum + each.tokens, 0)
  const cost = all.reduce((sum, { seq }) => sum + (carried.get(seq)?.dollars ?? 0), 0)
  return (
    <article
      ref={place}
      id={`e${entry.seq}`}
      data-seq={entry.seq}
      class={`entry what-${entry.what} now-${entry.now} ${target ? 'target' : ''}`}
      tabIndex={-1}
      aria-label={`Entry ${entry.seq}, ${whatNames[entry.what]}`}
    >
      <header>
        <a class="seq" href={entryHash(entry.seq)} aria-label={`Entry ${entry.seq}`}>
          {entry.seq}
        </a>
        <strong>{whatNames[entry.what]}</strong>
        <Now now={entry.now} />
        {pinned.has(entry.seq) && (
          <span class="badge" title="It stays through every compaction, word for word">
            pinned
          </span>
        )}
        <span class="quiet">
          {tokens >= 1 ? `${short(tokens)} tokens` : ''}
          {cost >= 0.01 ? `, ${dollars(cost)} so far` : ''}
        </span>
        <time class="quiet">{moment(entry.at)}</time>
      </header>
      {entry.parts.map((part) => (
        <Part part={part} block={block} target={target} />
      ))}
    </article>
  )
}

const nowNames: Partial<Record<LoggedEntry['now'], { text: string; title: string }>> = {
  clipped: { text: 'clipped', title: 'The model sees its beginning and its end' },
  pruned: { text: 'pruned', title: 'The model sees a placeholder' },
  gone: { text: 'not in the context', title: 'The model sees at most what a summary says of it' },
  rewound: { text: 'taken back', title: 'The session went back to before it' },
}

function Now({ now }: { now: LoggedEntry['now'] }) {
  const name = nowNames[now]
  return name ? (
    <span class="badge" title={name.title}>
      {name.text}
    </span>
  ) : null
}

const name = 'found'
const mostMarked = 400

/** Marks where words occur, without touching what they stand in. */
function markWords(box: HTMLElement, words: string): void {
  if (!('highlights' in CSS)) return
  const wanted = words.toLowerCase()
  const ranges: Range[] = []
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node && ranges.length < mostMarked; node = walker.nextNode()) {
    const text = (node.nodeValue ?? '').toLowerCase()
    for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
      const range = document.createRange()
      range.setStart(node, at)
      range.setEnd(node, Math.min(at + wanted.length, node.nodeValue?.length ?? 0))
      ranges.push(range)
      if (ranges.length >= mostMarked) break
    }
  }
  CSS.highlights.set(name, new Highlight(...ranges))
  const [first] = ranges
  first?.startContainer.parentElement?.scrollIntoView({ block: 'center' })
}
