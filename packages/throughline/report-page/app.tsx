import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { sanitizeLine } from '../src/log/sanitize.ts'
import { Answers } from './answers/answers.tsx'
import { Compactions } from './compactions/compactions.tsx'
import { ActionsContext, entryHash, entryIn, type PageData, type Actions } from './data.ts'
import { Log } from './log/log.tsx'
import type { Target } from './log/blocks.ts'
import { counted, moment, short, span } from './numbers.ts'
import { SawTooth } from './chart/saw-tooth.tsx'
import { Search } from './search.tsx'
import { ThemeButton, useTheme } from './theme.tsx'
import type { Seq, Ref } from '../src/log/entry.ts'
import type { ReportModel } from '../src/report/model.ts'

export function App({ given }: { given: PageData }) {
  const [data, setData] = useState(given)
  const [message, setMessage] = useState('')
  const [state, setState] = useState<'live' | 'lost'>('live')
  const [theme, setTheme] = useTheme()
  const [target, jumpTo] = useTarget()
  const current = useRef(data)
  current.current = data
  const { model, live } = data

  useEffect(() => {
    document.title = `${titleOf(model.session).slice(0, 80).toWellFormed()} – Throughline`
  }, [model.session])
  useEffect(() => {
    if (!given.live) return undefined
    return follow(() => current.current, setData, setState)
  }, [])
  const actions = useMemo(() => {
    if (!given.live?.stored) return undefined
    const update = async (): Promise<void> => {
      setMessage('')
      setData(await newest(current.current))
    }
    return actionsOf(update, setMessage)
  }, [])
  const canUndo = actions && model.compactions.some((each) => each.state === 'in force')

  return (
    <ActionsContext.Provider value={actions}>
      <a class="skip" href="#log">
        Skip to the log
      </a>
      <header class="top">
        <nav aria-label="Parts of the page">
          <a class="brand" href="#top">
            Throughline
          </a>
          <a href="#session">Session</a>
          <a href="#compactions">Compactions</a>
          <a href="#log">Log</a>
        </nav>
        <Search entries={model.entries} onChoose={jumpTo} />
        {live && (
          <span class={`badge ${state === 'live' ? 'good' : 'bad'}`} role="status">
            {state === 'live' ? 'live' : 'not connected'}
          </span>
        )}
        <ThemeButton theme={theme} onClick={setTheme} />
      </header>
      <main id="top">
        <Title model={model} />
        {message !== '' && (
          <p class="note bad" role="alert">
            {sanitizeLine(message)}
          </p>
        )}
        <Answers model={model} />
        <section id="session" aria-label="Over the session">
          <h2>Over the session</h2>
          <SawTooth model={model} theme={theme} />
        </section>
        {data.toDo.length > 0 && <ToDo toDo={data.toDo} />}
        {canUndo && (
          <p>
            <button type="button" class="primary" onClick={() => void actions.undo()}>
              Undo the newest compaction
            </button>{' '}
            <span class="quiet">Everything said since then stays.</span>
          </p>
        )}
        <Compactions model={model} />
        <Log model={model} target={target} />
      </main>
      <footer>
        <p>
          Made by Throughline, without a model, from the session alone. It fetches nothing, and runs
          no text of the session.
        </p>
      </footer>
    </ActionsContext.Provider>
  )
}

function Title({ model: { session, window, money } }: { model: ReportModel }) {
  const title = titleOf(session)
  const about = [
    session.format,
    session.model && sanitizeLine(session.model),
    session.directory && sanitizeLine(session.directory),
    counted(money.requests, 'request'),
    session.to > session.from && session.from > 0
      ? `${span(session.to - session.from)} from ${moment(session.from)}`
      : undefined,
    `${short(window.context)} window (${sanitizeLine(window.from)})`,
    session.skipped > 0
      ? `${counted(session.skipped, 'line')} of the file could not be read`
      : undefined,
  ].filter((each) => each !== undefined && each !== '')
  return (
    <div class="title">
      <h1>{title}</h1>
      <p class="quiet">
        {sanitizeLine(session.name)} · {about.join(' · ')}
      </p>
    </div>
  )
}

const longestTitle = 120

/** The first line of what was asked for first, without the signs of Markdown. */
function titleOf({ title, name }: ReportModel['session']): string {
  const lines = (title ?? '').split('\n').map((line) => sanitizeLine(line.replace(/[#*`"“]/g, '')))
  const first = lines.find((line) => line.length > 3) ?? sanitizeLine(name)
  return first.length > longestTitle
    ? `${first
        .slice(0, longestTitle)
        .replace(/\s+\S{0,30}$/, '')
        .toWellFormed()}…`
    : first
}

/** The entry that the address names; links to entries are links within the page. */
function useTarget(): [Target | undefined, (seq: Seq, words: string) => void] {
  const [target, setTarget] = useState<Target | undefined>(() => targetIn(location.hash, 0))
  const words = useRef<string>()
  useEffect(() => {
    const jump = (): void => {
      if (/^#(?:c\d+|next)$/.test(location.hash)) openAt(location.hash.slice(1))
      const found = words.current
      words.current = undefined
      setTarget((before) => targetIn(location.hash, (before?.jump ?? 0) + 1, found) ?? before)
    }
    // A click on the link of where one is changes no address, and still means to go there.
    const clicked = (event: MouseEvent): void => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      const href = link?.getAttribute('href')
      if (href !== undefined && href === location.hash) jump()
    }
    addEventListener('hashchange', jump)
    addEventListener('click', clicked)
    return () => {
      removeEventListener('hashchange', jump)
      removeEventListener('click', clicked)
    }
  }, [])
  return [
    target,
    (seq, wanted) => {
      words.current = wanted
      if (location.hash === entryHash(seq)) {
        words.current = undefined
        setTarget((before) => ({ seq, jump: (before?.jump ?? 0) + 1, words: wanted }))
      } else {
        location.hash = entryHash(seq)
      }
    },
  ]
}

function targetIn(hash: string, jump: number, words?: string): Target | undefined {
  const seq = entryIn(hash)
  return seq === undefined ? undefined : { seq, jump, words }
}

/** A compaction that is folded is opened before one goes there. */
function openAt(id: string): void {
  const place = document.getElementById(id)
  if (place instanceof HTMLDetailsElement) place.open = true
  place?.scrollIntoView()
}

/** What somebody does next. */
function ToDo({ toDo }: { toDo: PageData['toDo'] }) {
  return (
    <article class="card to-do">
      <h2>Undo it, or go on</h2>
      <dl>
        {toDo.map(({ command, does }) => (
          <div>
            <dt>
              <Command text={command} />
            </dt>
            <dd>{sanitizeLine(does)}</dd>
          </div>
        ))}
      </dl>
    </article>
  )
}

/** A command that somebody types into a terminal. */
function Command({ text }: { text: string }) {
  const [copied, setCopied] = useState(false)
  const canCopy = typeof navigator.clipboard?.writeText === 'function'
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 2000)
  }
  return (
    <>
      <code>{sanitizeLine(text)}</code>
      {canCopy && (
        <button type="button" onClick={() => void copy().catch(() => setCopied(false))}>
          {copied ? 'Copied' : 'Copy'}
        </button>
      )}
    </>
  )
}

/** Follows the session that a server reads, and gets what is new of it. */
function follow(
  current: () => PageData,
  show: (data: PageData) => void,
  tell: (state: 'live' | 'lost') => void,
): () => void {
  const events = new EventSource('events')
  let busy = false
  let again = false
  const update = async (): Promise<void> => {
    if (busy) {
      again = true
      return
    }
    busy = true
    try {
      show(await newest(current()))
      tell('live')
    } catch {
      tell('lost')
    }
    busy = false
    if (again) {
      again = false
      await update()
    }
  }
  events.addEventListener('changed', () => void update())
  // What changed before the connection stood, or while it was broken, was told to nobody.
  events.addEventListener('open', () => void update())
  events.addEventListener('error', () => tell('lost'))
  return () => events.close()
}

/** The newest report; entries that the page has are not sent again. */
async function newest(known: PageData): Promise<PageData> {
  const response = await fetch('report.json', { cache: 'no-store' })
  if (!response.ok) throw new Error(await response.text())
  const data = (await response.json()) as PageData
  const old = new Map(known.model.entries.map((entry) => [entry.seq, entry]))
  // The same object for what has not changed: it is not drawn again.
  const entries = data.model.entries.map((entry) => {
    const before = old.get(entry.seq)
    return before && JSON.stringify(before) === JSON.stringify(entry) ? before : entry
  })
  return { ...data, model: { ...data.model, entries } }
}

/** What a stored session may have done to it. */
function actionsOf(done: () => Promise<void>, failed: (message: string) => void): Actions {
  const post = async (name: string, body: object): Promise<void> => {
    const response = await fetch(name, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) return failed(await response.text())
    await done()
  }
  const safely = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => failed(error instanceof Error ? error.message : String(error)))
  return {
    undo: () => safely(post('undo', {})),
    pin: (ref: Ref) => safely(post('pin', { ref })),
    unpin: (pin: Seq) => safely(post('unpin', { pin })),
    annotate: (of: Seq, text: string) => safely(post('annotate', { of, text })),
  }
}
