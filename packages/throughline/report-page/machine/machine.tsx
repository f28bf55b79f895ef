import { useEffect, useMemo, useState } from 'preact/hooks'
import { sanitizeLine } from '../../src/log/sanitize.ts'
import {
  nearTheirLimit,
  type MachineReport,
  type MachineSession,
  compactionsOf,
  rulesByProject,
} from '../../src/report/machine.ts'
import { counted, moment, percent, short, dollars } from '../numbers.ts'
import { ThemeButton, useTheme } from '../theme.tsx'
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

const dayLength = 86_400_000
const mostDays = 90
const height = 100

/** What each day cost, for the last three months of those that are shown. */
function Days({ sessions }: { sessions: readonly MachineSession[] }) {
  const [chosen, setChosen] = useState<number>()
  const days = daysOf(sessions)
  if (days.length < 2) return null
  const most = Math.max(...days.map(({ cost }) => cost))
  const pointedAt = days[chosen ?? -1]
  return (
    <section aria-labelledby="days">
      <h2 id="days">What each day cost</h2>
      <div class="chart">
        <svg
          class="days"
          viewBox={`0 0 ${days.length * 10} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${counted(days.length, 'day')} from ${days[0]?.day} to ${days.at(-1)?.day}; the costliest had ${dollars(most)}`}
          onPointerLeave={() => setChosen(undefined)}
        >
          {days.map(({ cost }, index) => (
            <g onPointerEnter={() => setChosen(index)}>
              <rect class="day-ground" x={index * 10} y={0} width={10} height={height} />
              <rect
                class={index === chosen ? 'day chosen' : 'day'}
                x={index * 10 + 1}
                y={height - (cost / most) * height}
                width={8}
                height={(cost / most) * height}
              />
            </g>
          ))}
        </svg>
        <p class="days-legend quiet">
          <span>{days[0]?.day}</span>
          <b>
            {pointedAt
              ? `${pointedAt.day}: ${dollars(pointedAt.cost)}`
              : `at most ${dollars(most)} a day`}
          </b>
          <span>{days.at(-1)?.day}</span>
        </p>
      </div>
    </section>
  )
}

/** Every day from the first to the last, also those that cost nothing. */
function daysOf(sessions: readonly MachineSession[]): { day: string; cost: number }[] {
  const costs = new Map<string, number>()
  for (const { days } of sessions) {
    for (const [day, cost] of Object.entries(days)) costs.set(day, (costs.get(day) ?? 0) + cost)
  }
  const known = [...costs.keys()].sort()
  const last = Date.parse(known.at(-1) ?? '')
  const first = Math.max(Date.parse(known[0] ?? ''), last - (mostDays - 1) * dayLength)
  const days: { day: string; cost: number }[] = []
  for (let at = first; at <= last; at += dayLength) {
    const day = new Date(at).toISOString().slice(0, 10)
    days.push({ day, cost: costs.get(day) ?? 0 })
  }
  return days
}

const step = 12

/** What each compaction lost, the newest first. */
function Lost({ sessions }: { sessions: readonly MachineSession[] }) {
  const [shown, setShown] = useState(step)
  const all = compactionsOf(sessions)
  return (
    <section aria-labelledby="lost">
      <h2 id="lost">
        What compactions lost <span class="count">{counted(all.length, 'compaction')}</span>
      </h2>
      {all.length === 0 && <p class="quiet">None of these sessions has been compacted.</p>}
      <ol class="lost">
        {all.slice(0, shown).map(({ at, by, before, after, rules, changed, others, session }) => (
          <li class="card">
            <p>
              <b>
                {short(before)} → {short(after)}
              </b>{' '}
              {sanitizeLine(by)} <span class="quiet">{moment(at)}</span>
            </p>
            <p class="quiet">
              {sanitizeLine(session.title ?? '')} <code>throughline report {session.name}</code>
            </p>
            <Names name="Rules" names={rules} />
            <Names name="Changed files" names={changed} />
            <p class="quiet">
              {rules.length + changed.length + others === 0
                ? 'Nothing by name.'
                : others > 0 &&
                  `${counted(others, 'other')}: requests, files read, checks, errors.`}
            </p>
          </li>
        ))}
      </ol>
      {all.length > shown && (
        <button type="button" class="more" onClick={() => setShown(shown + step)}>
          {counted(all.length - shown, 'more compaction')}
        </button>
      )}
    </section>
  )
}

function Names({ name, names }: { name: string; names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <>
      <h3 class="bad">{name}</h3>
      <ul class="sublist">
        {names.map((each) => (
          <li>{sanitizeLine(each)}</li>
        ))}
      </ul>
    </>
  )
}

const mostOpen = 6

function Rules({ sessions }: { sessions: readonly MachineSession[] }) {
  const projects = rulesByProject(sessions)
  return (
    <section aria-labelledby="rules">
      <h2 id="rules">Your rules in force</h2>
      {projects.length === 0 && <p class="quiet">No rule was found in what you said.</p>}
      {projects.map(({ project, rules }, index) => (
        <details class="project" open={index < mostOpen}>
          <summary>
            <span class="path">{sanitizeLine(project)}</span>{' '}
            <span class="count">{counted(rules.length, 'rule')}</span>
          </summary>
          <ul>
            {rules.map((rule) => (
              <li>
                {sanitizeLine(rule.text)}
                {rule.sessions > 1 && <span class="quiet"> in {rule.sessions} sessions</span>}
              </li>
            ))}
          </ul>
        </details>
      ))}
    </section>
  )
}
