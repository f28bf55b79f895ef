import { isAbsolute } from 'node:path'
import { foldersOf, pathForReader } from '../../../config/folders.ts'
import { overviewOf, type SessionOverview } from '../../../formats/stored/overview.ts'
import { configurationFor } from '../../configuration.ts'
import { exitCodes } from '../../errors.ts'
import { safeJson } from '../../output/target.ts'
import { inStore } from '../../store/open-store.ts'
import { takeTurn } from '../../terminal/turn.ts'
import type { ParsedArguments } from '../../command.ts'
import type { Store, StoredSession } from '../../../session/store.ts'
import type { Io } from '../../io.ts'
import { sanitizeLine } from '../../../log/sanitize.ts'
import { counted, withThousands, whenText } from '../../terminal/numbers.ts'
import { fullText, titleText } from './list-lines.ts'
import { table, type Column } from '../../terminal/table.ts'
import { usableOf } from '../../sizes/keep-policy.ts'
import { policyOf } from '../../../config/policy-of.ts'
import { chooseWindow } from '../../sizes/window-choice.ts'
import type { Configuration } from '../../../config/load-config.ts'

/** The sessions in the store. */
export async function listStored(parsed: ParsedArguments, limit: number, io: Io): Promise<number> {
  const configuration = await configurationFor('list', parsed, io)
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

/** A session in the object printed by `list --stored --json`. */
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
