import { useEffect, useRef, useState } from 'preact/hooks'
import { sanitizeLine } from '../../src/log/sanitize.ts'
import { entryHash, useActions } from '../data.ts'
import { dollars, moment, short } from '../numbers.ts'
import { whatNames } from '../words.ts'
import { markWords } from './mark-words.ts'
import { Part } from './part.tsx'
import type { Seq } from '../../src/log/entry.ts'
import type { LoggedEntry } from '../../src/report/model.ts'
import type { LogBlock, Target } from './blocks.ts'

interface EntryProps {
  block: LogBlock
  target: Target | undefined
  carried: ReadonlyMap<Seq, { times: number; dollars: number | null }>
  notes: ReadonlyMap<Seq, { seq: Seq; text: string }[]>
  /** The pin of each pinned entry. */
  pinned: ReadonlyMap<Seq, Seq>
}

/** One message of the log; a step with its calls folded. */
export function EntryView({ block, target, carried, notes, pinned }: EntryProps) {
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
  const annotations = all.flatMap(({ seq }) => notes.get(seq) ?? [])
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
        <Doing entry={entry} pin={pinned.get(entry.seq)} />
      </header>
      {entry.parts.map((part) => (
        <Part part={part} block={block} target={target} />
      ))}
      {annotations.map(({ seq, text }) => (
        <aside class="annotation" key={seq}>
          {sanitizeLine(text)}
        </aside>
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

/** What a served page may do to an entry of a stored session. */
function Doing({ entry, pin }: { entry: LoggedEntry; pin: Seq | undefined }) {
  const actions = useActions()
  const [asks, setAsks] = useState(false)
  const [text, setText] = useState('')
  if (!actions) return null
  if (entry.what === 'pin') {
    return (
      <button type="button" onClick={() => void actions.unpin(entry.seq)}>
        Unpin
      </button>
    )
  }
  if (entry.now === 'never') return null
  const annotate = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (text.trim() === '') return
    await actions.annotate(entry.seq, text)
    setText('')
    setAsks(false)
  }
  return (
    <span class="doing">
      <button
        type="button"
        onClick={() => void (pin === undefined ? actions.pin(`${entry.seq}`) : actions.unpin(pin))}
      >
        {pin === undefined ? 'Pin' : 'Unpin'}
      </button>
      <button type="button" aria-expanded={asks} onClick={() => setAsks(!asks)}>
        Note
      </button>
      {asks && (
        <form onSubmit={(event) => void annotate(event)}>
          <input
            aria-label={`A note on entry ${entry.seq}`}
            value={text}
            maxLength={4000}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <button type="submit">Save</button>
        </form>
      )}
    </span>
  )
}
