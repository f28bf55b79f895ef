import { isAbsolute } from 'node:path'
import { foldersOf, pathForReader } from '../../config/folders.ts'
import { overviewOf, type SessionOverview } from '../../formats/stored/overview.ts'
import { configurationFor } from '../configuration.ts'
import { exitCodes } from '../errors.ts'
import { usage } from '../parse-arguments.ts'
import { safeJson } from '../output/target.ts'
import { inStore } from '../store/open-store.ts'
import { jsonOption, storeOptions } from '../shared-options.ts'
import { takeTurn } from '../terminal/turn.ts'
import type { Command, ParsedArguments } from '../command.ts'
import type { Store, StoredSession } from '../../session/store.ts'
import type { Io } from '../io.ts'
import { sanitizeLine } from '../../log/sanitize.ts'
import { counted, withThousands, whenText } from '../terminal/numbers.ts'
import { fullText, titleText } from './list/list-lines.ts'
import { table, type Column } from '../terminal/table.ts'
import { usableOf } from '../sizes/keep-policy.ts'
import { policyOf } from '../../config/policy-of.ts'
import { chooseWindow } from '../sizes/window-choice.ts'
import type { Configuration } from '../../config/load-config.ts'

const usualLimit = 20

export const sessionsCommand: Command = {
  name: 'sessions',
  description: [
    'Lists the sessions in the store: when each was last modified, how many entries it has, how many tokens its next request has and how full the window then is, how often it was compacted, the human’s first message, and where it comes from. A session that is more than 90% full is marked with !. A ~ marks an estimate of the messages alone, as after a compaction. It does not include system prompt and tools, which only the provider counts. A – marks a value that is known only after reading a long session as a whole; throughline inspect reads it.',
  ],
  arguments: [],
  options: [
    { name: 'limit', short: 'n', value: 'N', help: `How many to show (default ${usualLimit}).` },
    { name: 'all', help: 'Show all of them.' },
    jsonOption,
    ...storeOptions,
  ],
  examples: [
    { command: 'throughline sessions', does: 'See all stored sessions.' },
    { command: 'throughline sessions --all --json', does: 'Print all of them for a program.' },
  ],
  run: runSessions,
}

async function runSessions(parsed: ParsedArguments, io: Io): Promise<number> {
  const limit = limitOf(parsed)
  const configuration = await configurationFor('sessions', parsed, io)
  const { total, rows } = await inStore(configuration, io, async (store) => {
    const sessions = (await store.sessions()).sort((one, other) => other.at - one.at)
    const shown = sessions.slice(0, limit)
    const overviews = await overviewsOf(store, shown, io)
    return {
      total: sessions.length,
      rows: overviews.map((overview) => sessionRow(overview, configuration)),
    }
  })
  const { stdout, env, cwd } = io
  const text = parsed.flags.has('json')
    ? safeJson({ version: 1, total, sessions: rows.map(sessionJson) })
    : sessionLines({
        rows,
        total,
        width: stdout.columns(),
        now: Date.now(),
        shownPath: (path) => (isAbsolute(path) ? pathForReader(path, foldersOf(env), cwd) : path),
      }).join('\n')
  await stdout.write(`${text}\n`)
  return exitCodes.done
}

async function overviewsOf(
  store: Store,
  sessions: readonly StoredSession[],
  io: Io,
): Promise<SessionOverview[]> {
  const overviews: SessionOverview[] = []
  for (const session of sessions) {
    overviews.push(await overviewOf(store, session))
    await takeTurn(io)
  }
  return overviews
}

function limitOf({ values, flags }: ParsedArguments): number {
  const value = values.get('limit')
  if (flags.has('all') && value !== undefined) {
    throw usage('sessions', '--all shows all of them: omit --limit')
  }
  if (flags.has('all')) return Infinity
  if (value === undefined) return usualLimit
  if (/^\d{1,6}$/.test(value) && Number(value) > 0) return Number(value)
  throw usage('sessions', `--limit must be a whole number, 1 or more, not ${JSON.stringify(value)}`)
}

/** A session in the object printed by `sessions --json`. */
function sessionJson({ id, at, newest, tokens, usable, compactions, title, facts }: SessionRow) {
  return {
    session: id,
    written: at,
    entries: newest,
    tokens: tokens ?? null,
    usable,
    compactions,
    title: title ?? null,
    format: facts.format ?? null,
    source: facts.source ?? null,
    model: facts.model ?? null,
    directory: facts.directory ?? null,
  }
}

interface Shown {
  rows: readonly SessionRow[]
  /** How many there are in total. */
  total: number
  width: number
  /** Milliseconds since 1970. */
  now: number
  /** How to show a path. */
  shownPath: (path: string) => string
}

// Below this width, figures are dropped; above it, there is room for full names and for the program
// that wrote each session; then for file names.
const narrow = 78
const wide = 110
const wider = 160

/** A column of the list, shown in terminals of at least this width. */
interface Field {
  column: Column
  cell: (row: SessionRow) => string
  from?: number
}

/** The list of stored sessions, newest first. */
function sessionLines({ rows, total, width, now, shownPath }: Shown): string[] {
  if (total === 0) return ['The store is empty. To add a session: throughline import FILE']
  const fields = fieldsOf(width, now, shownPath).filter(({ from = 0 }) => width >= from)
  const columns = fields.map(({ column }) => column)
  const cells = rows.map((row) => fields.map(({ cell }) => cell(row)))
  const left = total - rows.length
  const more = left > 0 ? [`… and ${counted(left, 'older one')}; --all shows them`] : []
  return [...table(columns, cells, width), ...more]
}

function fieldsOf(width: number, now: number, shownPath: Shown['shownPath']): Field[] {
  const right = (heading: string): Column => ({ heading, side: 'right' })
  return [
    {
      column: { heading: 'session', ...(width < wider && { clip: 'end' }) },
      cell: ({ id }) => sanitizeLine(id),
    },
    { column: { heading: 'written' }, cell: ({ at }) => whenText(at, now) },
    { column: right('entries'), cell: ({ newest }) => withThousands(newest) },
    {
      column: right('context'),
      cell: ({ tokens, counted: isCounted }) =>
        tokens === undefined ? '–' : `${isCounted ? '' : '~'}${withThousands(tokens)}`,
    },
    {
      column: right('full'),
      cell: ({ tokens, usable }) => (tokens === undefined ? '–' : fullText(tokens, usable)),
      from: narrow,
    },
    {
      column: right('compacted'),
      cell: ({ compactions }) => (compactions === 0 ? '–' : `${compactions}×`),
      from: narrow,
    },
    {
      column: { heading: 'title', clip: 'end' },
      cell: ({ title = '' }) => titleText(title),
    },
    {
      column: { heading: 'from', clip: 'start' },
      cell: (row) => fromText(row, width >= wider ? shownPath : undefined),
      from: wide,
    },
  ]
}

function fromText({ facts }: SessionRow, shownPath?: Shown['shownPath']): string {
  const { format = '', source } = facts
  const path = source !== undefined && shownPath ? shownPath(source) : ''
  return sanitizeLine(`${format} ${path}`)
}

/** A row of the list: a stored session. */
interface SessionRow extends SessionOverview {
  /** The usable window beside the model's answer, in tokens. */
  usable: number
}

function sessionRow(overview: SessionOverview, configuration: Configuration): SessionRow {
  const { facts } = overview
  const { window } = chooseWindow(undefined, facts, configuration)
  return { ...overview, usable: usableOf(window, policyOf(configuration, facts.model)) }
}
