import { useEffect, useRef, useState } from 'preact/hooks'
import { sanitizeLine } from '../../src/log/sanitize.ts'
import { entryHash, useActions } from '../data.ts'
import { dollars, moment, short, whole } from '../numbers.ts'
import { Plain, Prose } from '../text/text.tsx'
import { whatNames } from '../words.ts'
import { markWords } from './mark-words.ts'
import type { Seq } from '../../src/log/entry.ts'
import type { LoggedEntry, LoggedPart } from '../../src/report/model.ts'
import type { LogBlock } from './blocks.ts'
import type { Target } from './log.tsx'

interface EntryProps {
  block: LogBlock
  target: Target | undefined
  carried: ReadonlyMap<Seq, { times: number; dollars: number | null }>
  notes: ReadonlyMap<Seq, { seq: Seq; text: string }[]>
}

/** One message of the log; a step with its calls folded. */
export function EntryView({ block, target, carried, notes }: EntryProps) {
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
        <span class="quiet">
          {tokens >= 1 ? `${short(tokens)} tokens` : ''}
          {cost >= 0.01 ? `, ${dollars(cost)} so far` : ''}
        </span>
        <time class="quiet">{moment(entry.at)}</time>
        <Doing entry={entry} />
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
function Doing({ entry }: { entry: LoggedEntry }) {
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
      <button type="button" onClick={() => void actions.pin(`${entry.seq}`)}>
        Pin
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

interface PartProps {
  part: LoggedPart
  block: LogBlock
  target: Target | undefined
}

function Part({ part, block, target }: PartProps) {
  const { entry } = block
  switch (part.type) {
    case 'text':
      return entry.what === 'harness' || entry.what === 'note' || entry.what === 'system' ? (
        <Folded
          title={sanitizeLine(part.text.slice(0, 400))}
          length={part.text.length}
          open={target?.words !== undefined}
        >
          <Said part={part} plain />
        </Folded>
      ) : (
        <Said part={part} plain={entry.what === 'prune'} />
      )
    case 'thinking':
      return (
        <Folded
          title="Thinking"
          aside={sanitizeLine(part.text.slice(0, 200))}
          length={part.text.length}
          open={target?.words !== undefined && holdsWords(part.text, target.words)}
        >
          <Said part={part} />
        </Folded>
      )
    case 'call':
      return <Call part={part} block={block} target={target} />
    case 'result':
      return (
        <Folded
          title={`${part.tool} answered`}
          length={part.text.length}
          open={target !== undefined}
        >
          <Output part={part} />
        </Folded>
      )
    case 'media':
      return <p class="media">{sanitizeLine(part.text)}</p>
  }
}

function holdsWords(text: string, words: string | undefined): boolean {
  return words !== undefined && text.toLowerCase().includes(words.toLowerCase())
}

const longestAtFirst = 3000

/** What was said; of a very long text the beginning. */
function Said({ part, plain = false }: { part: { text: string; cut?: number }; plain?: boolean }) {
  const [all, setAll] = useState(part.text.length <= longestAtFirst * 1.3)
  const text = all ? part.text : part.text.slice(0, longestAtFirst)
  return (
    <>
      {plain ? <Plain text={text} /> : <Prose text={text} />}
      {!all && (
        <button type="button" class="more" onClick={() => setAll(true)}>
          {whole(part.text.length - longestAtFirst)} more characters
        </button>
      )}
      <Cut part={part} />
    </>
  )
}

function Cut({ part }: { part: { cut?: number } }) {
  if (part.cut === undefined) return null
  return (
    <p class="note">
      {whole(part.cut)} more characters are not in this page. They stand in the session: throughline
      recall reads them back.
    </p>
  )
}

function Call({
  part,
  block,
  target,
}: PartProps & { part: Extract<LoggedPart, { type: 'call' }> }) {
  const result = block.results.get(part.id)
  const isTarget =
    (target !== undefined && result !== undefined && result.entry.seq === target.seq) ||
    holdsWords(part.text, target?.words) ||
    holdsWords(result?.part.text ?? '', target?.words)
  const length = result?.part.text.length ?? 0
  return (
    <Folded
      title={part.tool}
      aside={part.subject}
      length={length}
      failed={result?.part.failed}
      state={result === undefined ? 'no result' : undefined}
      seq={result?.entry.seq}
      open={isTarget}
    >
      <Input text={part.text} />
      <Cut part={part} />
      {result && (
        <>
          <p class="quiet result-head">
            Result, entry {result.entry.seq}
            {result.entry.now === 'pruned' || result.entry.now === 'clipped'
              ? `, ${result.entry.now}`
              : ''}
          </p>
          <Output part={result.part} />
        </>
      )}
    </Folded>
  )
}

/** The input of a call; a patch with what it takes out and puts in. */
function Input({ text }: { text: string }) {
  if (/^\*\*\* Begin Patch|^@@ |^diff --git /m.test(text.slice(0, 4000)))
    return <Patch text={text} />
  return <Plain text={text} />
}

const mostPatchLines = 2000

function Patch({ text }: { text: string }) {
  const lines = text.split('\n')
  if (lines.length > mostPatchLines) return <Plain text={text} />
  return (
    <pre tabIndex={0} class="patch">
      {lines.map((line) => (
        <span class={line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : ''}>
          {`${sanitizeLine(line, { lines: true })}\n`}
        </span>
      ))}
    </pre>
  )
}

function Output({ part }: { part: Extract<LoggedPart, { type: 'result' }> }) {
  if (part.text === '') return <p class="quiet">It printed nothing.</p>
  return (
    <>
      <Plain text={part.text} />
      <Cut part={part} />
    </>
  )
}

interface FoldedProps {
  title: string
  aside?: string
  length: number
  failed?: boolean | undefined
  state?: string | undefined
  seq?: Seq | undefined
  open: boolean
  children: preact.ComponentChildren
}

/** Something that is drawn only when somebody opens it. */
function Folded({ title, aside, length, failed, state, seq, open, children }: FoldedProps) {
  const [opened, setOpened] = useState(open)
  useEffect(() => {
    if (open) setOpened(true)
  }, [open])
  return (
    <details
      class={`folded ${failed ? 'failed' : ''}`}
      open={opened}
      onToggle={(event) => setOpened(event.currentTarget.open)}
      {...(seq !== undefined && { 'data-seq': seq })}
    >
      <summary>
        <span class="tool">{sanitizeLine(title)}</span>
        {aside ? <span class="subject">{sanitizeLine(aside)}</span> : null}
        <span class="quiet size">
          {failed ? <b class="bad">failed </b> : null}
          {state ?? (length > 0 ? `${short(length)} chars` : 'empty')}
        </span>
      </summary>
      {opened && <div class="inside">{children}</div>}
    </details>
  )
}
