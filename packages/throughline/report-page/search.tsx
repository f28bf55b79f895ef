import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { sanitizeLine } from '../src/log/sanitize.ts'
import { counted, whole } from './numbers.ts'
import { whatNames } from './words.ts'
import type { Seq } from '../src/log/entry.ts'
import type { LoggedEntry } from '../src/report/model.ts'

interface Hit {
  entry: LoggedEntry
  before: string
  found: string
  after: string
}

const mostShown = 200
const around = 60

/** Finds words in the whole session, and leads to them. */
export function Search({
  entries,
  onChoose,
}: {
  entries: readonly LoggedEntry[]
  onChoose: (seq: Seq, words: string) => void
}) {
  const [words, setWords] = useState('')
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLOListElement>(null)
  const hits = useMemo(() => hitsFor(entries, words.trim()), [entries, words])
  const shown = hits.slice(0, mostShown)

  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { target } = event
      const types = target instanceof HTMLInputElement
      if (event.key !== '/' || types || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      field.current?.focus()
      field.current?.select()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])

  const choose = (index: number): void => {
    const hit = shown[index]
    if (!hit) return
    setAt(index)
    setOpen(false)
    onChoose(hit.entry.seq, words.trim())
  }

  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') return setOpen(false)
    if (event.key === 'Enter') {
      event.preventDefault()
      // Enter again goes to the next one.
      return choose(
        open ? at : (at + (event.shiftKey ? shown.length - 1 : 1)) % Math.max(shown.length, 1),
      )
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0 || shown.length === 0) return
    event.preventDefault()
    setOpen(true)
    const next = (at + step + shown.length) % shown.length
    setAt(next)
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' })
  }

  const isOpen = open && words.trim().length > 1
  return (
    <div
      class="search"
      onFocusOut={(event) => {
        const to = event.relatedTarget
        if (!(to instanceof Node) || !event.currentTarget.contains(to)) setOpen(false)
      }}
    >
      <input
        ref={field}
        type="search"
        role="combobox"
        placeholder="Search the session ( / )"
        aria-label="Search the session"
        aria-expanded={isOpen}
        aria-controls="hits"
        aria-activedescendant={isOpen && shown.length > 0 ? `hit-${at}` : undefined}
        autoComplete="off"
        value={words}
        onInput={(event) => {
          setWords(event.currentTarget.value)
          setAt(0)
          setOpen(true)
        }}
        onFocus={() => setOpen(true)}
        onKeyDown={onKey}
      />
      {isOpen && (
        <div class="hits">
          <p class="quiet" role="status">
            {hits.length === 0
              ? 'It occurs nowhere.'
              : `In ${counted(hits.length, 'entry', 'entries')}`}
            {hits.length > mostShown ? `; the first ${whole(mostShown)} are shown` : ''}
          </p>
          <ol id="hits" role="listbox" aria-label="Where it occurs" ref={list}>
            {shown.map((hit, index) => (
              <li
                id={`hit-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === at}
                onMouseDown={(event) => {
                  event.preventDefault()
                  choose(index)
                }}
              >
                <span class="seq">{hit.entry.seq}</span> <b>{whatNames[hit.entry.what]}</b>{' '}
                {hit.before}
                <mark>{hit.found}</mark>
                {hit.after}
              </li>
            ))}
          </ol>
        </div>
      )}
    </div>
  )
}

const lowered = new WeakMap<LoggedEntry, { text: string; lower: string }>()

function textOf(entry: LoggedEntry): { text: string; lower: string } {
  let known = lowered.get(entry)
  if (!known) {
    const text = entry.parts
      .map((part) => (part.type === 'call' ? `${part.tool} ${part.text}` : part.text))
      .join('\n')
    lowered.set(entry, (known = { text, lower: text.toLowerCase() }))
  }
  return known
}

/** What stands before a place, from the beginning of a word on. */
function before(text: string, at: number): string {
  const near = text.slice(Math.max(at - around, 0), at)
  const whole = at > around ? `… ${near.replace(/^\S{0,20}\s+/, '')}` : near
  return `${sanitizeLine(whole)}${/\s$/.test(near) ? ' ' : ''}`
}

/** What stands behind it, up to the end of a word. */
function after(text: string, at: number): string {
  const near = text.slice(at, at + around)
  const whole = at + around < text.length ? `${near.replace(/\s+\S{0,20}$/, '')} …` : near
  return `${/^\s/.test(near) ? ' ' : ''}${sanitizeLine(whole)}`
}

function hitsFor(entries: readonly LoggedEntry[], words: string): Hit[] {
  if (words.length < 2) return []
  const wanted = words.toLowerCase()
  const hits: Hit[] = []
  for (const entry of entries) {
    const { text, lower } = textOf(entry)
    const at = lower.indexOf(wanted)
    if (at === -1) continue
    hits.push({
      entry,
      before: before(text, at),
      found: sanitizeLine(text.slice(at, at + wanted.length)),
      after: after(text, at + wanted.length),
    })
  }
  return hits
}
