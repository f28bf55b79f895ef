import { useEffect, useRef, useState } from 'preact/hooks'
import { sanitizeLine } from '../src/log/sanitize.ts'
import { Answers } from './answers/answers.tsx'
import { Compactions } from './compactions/compactions.tsx'
import { entryHash, entryIn, type PageData } from './data.ts'
import { Log } from './log/log.tsx'
import type { Target } from './log/blocks.ts'
import { counted, moment, short, span } from './numbers.ts'
import { SawTooth } from './chart/saw-tooth.tsx'
import { Search } from './search.tsx'
import { ThemeButton, useTheme } from './theme.tsx'
import type { Seq } from '../src/log/entry.ts'
import type { ReportModel } from '../src/report/model.ts'

export function App({ given }: { given: PageData }) {
  const { model, toDo } = given
  const [theme, setTheme] = useTheme()
  const [target, jumpTo] = useTarget()

  useEffect(() => {
    document.title = `${titleOf(model.session).slice(0, 80).toWellFormed()} – Throughline`
  }, [model.session])
  return (
    <>
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
        <ThemeButton theme={theme} onClick={setTheme} />
      </header>
      <main id="top">
        <Title model={model} />
        <Answers model={model} />
        <section id="session" aria-label="Over the session">
          <h2>Over the session</h2>
          <SawTooth model={model} theme={theme} />
        </section>
        {toDo.length > 0 && <ToDo toDo={toDo} />}
        <Compactions model={model} />
        <Log model={model} target={target} />
      </main>
      <footer>
        <p>
          Made by Throughline, without a model, from the session alone. It fetches nothing, and runs
          no text of the session.
        </p>
      </footer>
    </>
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
