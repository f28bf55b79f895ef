import { useEffect, useMemo, useState } from 'preact/hooks'
import { sanitizeLine } from '../../src/log/sanitize.ts'
import {
  nearTheirLimit,
  type MachineReport,
  type MachineSession,
} from '../../src/report/machine.ts'
import { counted, moment, percent, short } from '../numbers.ts'
import { ThemeButton, useTheme } from '../theme.tsx'
import { Days } from './days.tsx'
import { Lost } from './lost.tsx'
import { Rules } from './rules.tsx'
import { SessionTable } from './session-table.tsx'
import { Totals } from './totals.tsx'

/** The page about all sessions of a machine. */
export function Machine({ machine }: { machine: MachineReport }) {
  const [theme, setTheme] = useTheme()
  const [words, setWords] = useState('')
  useEffect(() => {
    document.title = `${counted(machine.sessions.length, 'session')} – Throughline`
  }, [machine])
  const texts = useMemo(() => machine.sessions.map(searchedText), [machine])
  const sessions = useMemo(() => {
    const wanted = words
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '')
    return machine.sessions.filter((_, index) =>
      wanted.every((word) => texts[index]?.includes(word)),
    )
  }, [machine, texts, words])
  return (
    <>
      <a class="skip" href="#sessions">
        Skip to the sessions
      </a>
      <header class="top">
        <nav aria-label="Parts of the page">
          <a class="brand" href="#top">
            Throughline
          </a>
          <a href="#money">Money</a>
          <a href="#lost">Lost</a>
          <a href="#rules">Rules</a>
          <a href="#sessions">Sessions</a>
        </nav>
        <div class="search" role="search">
          <input
            type="search"
            aria-label="Show only sessions with these words"
            placeholder="project, model, request, rule …"
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
        </div>
        <ThemeButton theme={theme} onClick={setTheme} />
      </header>
      <main id="top">
        <div class="title">
          <h1>Sessions on this machine</h1>
          <p class="quiet" role="status">
            {words.trim() === ''
              ? counted(sessions.length, 'session')
              : `${sessions.length} of ${counted(machine.sessions.length, 'session')}`}
            {' · '}
            {moment(machine.made)}
          </p>
        </div>
        <Totals sessions={sessions} />
        <Days sessions={sessions} />
        <NearLimit sessions={sessions} />
        <Lost sessions={sessions} />
        <Rules sessions={sessions} />
        <SessionTable sessions={sessions} />
        <Unreadable files={machine.unreadable} />
      </main>
      <footer>
        <p>
          Made by Throughline, without a model, from the sessions alone. It fetches nothing. To
          search everything that was said: <code>throughline search WORDS</code>
        </p>
      </footer>
    </>
  )
}

function searchedText(session: MachineSession): string {
  const { name, title = '', directory = '', model = '', client, rules } = session
  const texts = [name, title, directory, model, client, ...rules.map(({ text }) => text)]
  return texts.join('\n').toLowerCase()
}

const mostShown = 20

function NearLimit({ sessions }: { sessions: readonly MachineSession[] }) {
  const full = nearTheirLimit(sessions)
  if (full.length === 0) return null
  return (
    <section aria-labelledby="full">
      <h2 id="full">
        Near their limit <span class="count">{full.length}</span>
      </h2>
      <ul class="full">
        {full.slice(0, mostShown).map(({ name, title, tokens, usable }) => (
          <li>
            <b class="bad">{percent(tokens, usable)}</b>
            <span>
              {sanitizeLine(title ?? name)}
              <small class="quiet">
                {short(tokens)} of {short(usable)} tokens · <code>throughline resume {name}</code>
              </small>
            </span>
          </li>
        ))}
      </ul>
      {full.length > mostShown && <p class="quiet">… and {full.length - mostShown} more</p>}
    </section>
  )
}

function Unreadable({ files }: { files: MachineReport['unreadable'] }) {
  if (files.length === 0) return null
  return (
    <details>
      <summary>{counted(files.length, 'file')} could not be read</summary>
      <ul class="sublist">
        {files.slice(0, 100).map(({ file, reason }) => (
          <li>
            <code>{sanitizeLine(file)}</code>: {sanitizeLine(reason)}
          </li>
        ))}
      </ul>
    </details>
  )
}
