import { configurationFor } from '../../configuration.ts'
import { findFound } from '../../source/find-found.ts'
import {
  filterOptions,
  filtersIn,
  unknownHarness,
  type SessionFilters,
} from '../../source/filters.ts'
import { printAnswer } from '../../output/print-answer.ts'
import { listLines, fullText, olderLines, right, titleText, tokensText } from './list-lines.ts'
import {
  argument,
  optionsIn,
  type Command,
  type Options,
  type ParsedArguments,
} from '../../command.ts'
import type { Io } from '../../io.ts'
import { foundName, harnessNamed, harnessWords } from '../../source/session-found.ts'
import type { Unreadable } from '../../../harnesses/found-session.ts'
import { rowsOf, type ListRow } from './rows.ts'
import { countOption, usage } from '../../parse-arguments.ts'
import type { Screen } from '../../terminal/colour.ts'
import { jsonOption, storeOptions } from '../../shared-options.ts'
import { isAbsolute } from 'node:path'
import { foldersOf, pathForReader } from '../../../config/folders.ts'
import { policyOf } from '../../../config/policy-of.ts'
import { overviewOf, type SessionOverview } from '../../../formats/stored/overview.ts'
import { sanitizeLine } from '../../../log/sanitize.ts'
import { usableOf } from '../../sizes/keep-policy.ts'
import { chooseWindow } from '../../sizes/window-choice.ts'
import { inStore } from '../../store/open-store.ts'
import { whenText, withThousands } from '../../terminal/numbers.ts'
import { fieldTable, type Field } from '../../terminal/table.ts'
import { takeTurn } from '../../terminal/turn.ts'
import type { Configuration } from '../../../config/load-config.ts'

const usualLimit = 20

const listOptions: Options = {
  ...filterOptions,
  '-n, --limit N': `How many to show (default ${usualLimit}).`,
  '--all': 'Show all of them.',
  '--stored':
    'List the sessions in the store instead, with the number of their entries and compactions.',
  ...jsonOption,
  ...storeOptions,
}

/** @throws UsageError */
function listFilters(parsed: ParsedArguments, io: Io): SessionFilters {
  const word = argument(parsed, 'harness')
  const filters = filtersIn('list', parsed, io, Date.now())
  if (word === '') return filters
  const harness = harnessNamed(word)
  if (!harness) throw unknownHarness('list', 'the harness', word)
  if (filters.harnesses.includes(harness)) return { ...filters, harnesses: [harness] }
  throw usage('list', `${word} and --in name different clients: use only one`)
}

function limitOf(parsed: ParsedArguments): number {
  const limit = countOption('list', 'limit', parsed, { usual: usualLimit })
  if (!parsed.flags.has('all')) return limit
  if (!parsed.values.has('limit')) return Infinity
  throw usage('list', '--all shows all of them: omit --limit')
}

export const listCommand: Command = {
  name: 'list',
  description: [
    'Lists the sessions that the agents on this machine keep: when each was last modified, its size, how many tokens its next request has and how full the window then is, what its requests have cost, the human’s first message, and the directory. A session that is more than 90% full is marked with !. Other commands accept the name in the first column.',
    'Costs are the token counts of the provider at list prices; subagents are not included. The costs of a session are computed once and saved next to the store. For all other columns, only the beginning and the end of each session are read. The token count is the provider’s latest. A ~ marks an estimate of what the session’s file holds, which is mostly the messages alone, without system prompt and tools. A – marks an unknown value.',
  ],
  arguments: [
    {
      name: 'harness',
      give: `one of ${harnessWords().join(', ')}`,
      optional: true,
    },
  ],
  options: listOptions,
  examples: {
    'throughline list': 'See the newest sessions of all harnesses.',
    'throughline list codex -n 5': 'See the five newest Codex sessions.',
    'throughline list --here --since 7d':
      'See the sessions of this directory from the last seven days.',
    'throughline list --stored': 'See all stored sessions.',
    'throughline list --all --json': 'Print all of them for a program.',
  },
  run: runList,
}

async function runList(parsed: ParsedArguments, io: Io): Promise<number> {
  if (parsed.flags.has('stored')) {
    checkStored(parsed)
    return listStored(parsed, limitOf(parsed), io)
  }
  const limit = limitOf(parsed)
  const { harnesses, since, directories } = listFilters(parsed, io)
  const configuration = await configurationFor('list', parsed, io)
  const { sessions: all, unreadable } = await findFound(harnesses, io)
  const recent = all.filter(({ at }) => since === undefined || at >= since)
  const { rows, left } = await rowsOf(
    recent,
    { limit, configuration, unreadable, directories, read: true },
    io,
  )
  const answer = {
    json: () => listJson(rows, rows.length + left, unreadable),
    lines: (screen: Screen) => listLines({ rows, all, left, unreadable }, screen, io),
  }
  return printAnswer(answer, parsed, io)
}

/** @throws UsageError where the sessions of clients are asked for, too. */
function checkStored(parsed: ParsedArguments): void {
  const { values, flags } = parsed
  const odd = optionsIn(filterOptions).find(({ name }) => values.has(name) || flags.has(name))
  if (odd) throw usage('list', `--stored lists the store and --${odd.name} clients: use only one`)
  if (argument(parsed, 'harness') === '') return
  throw usage('list', '--stored lists the store and the harness its own sessions: use only one')
}

function listJson(rows: readonly ListRow[], total: number, unreadable: readonly Unreadable[]) {
  return {
    version: 1,
    total,
    sessions: rows.map(rowJson),
    unreadable: { count: unreadable.length, files: unreadable.slice(0, mostNamed) },
  }
}

const mostNamed = 100

function rowJson({ found, preview, usable, money }: ListRow) {
  const { tokens } = preview
  return {
    session: foundName({ ...found, id: preview.id }),
    harness: found.harness.name,
    id: preview.id,
    written: Math.floor(found.at),
    file: found.file,
    bytes: preview.bytes,
    directory: preview.directory ?? null,
    model: preview.model ?? null,
    entries: preview.entries ?? null,
    tokens: tokens ? { count: tokens.count, from: tokens.from } : null,
    usable,
    cost: money ? { dollars: money.dollars, unpriced: money.unpriced } : null,
    title: preview.title ?? null,
  }
}

/** The sessions in the store. */
async function listStored(parsed: ParsedArguments, limit: number, io: Io): Promise<number> {
  const configuration = await configurationFor('list', parsed, io)
  const { total, rows } = await inStore(configuration, io, async (store) => {
    const sessions = (await store.sessions()).sort((one, other) => other.at - one.at)
    const rows: SessionRow[] = []
    for (const session of sessions.slice(0, limit)) {
      rows.push(sessionRow(await overviewOf(store, session), configuration))
      await takeTurn(io)
    }
    return { total: sessions.length, rows }
  })
  const answer = {
    json: () => ({ version: 1, total, sessions: rows.map(sessionJson) }),
    lines: ({ width }: { width: number }) =>
      total === 0
        ? ['The store is empty. To add a session: throughline import FILE']
        : [...fieldTable(fieldsFor(width, io), rows, width), ...olderLines(total - rows.length)],
  }
  return printAnswer(answer, parsed, io)
}

interface SessionRow extends SessionOverview {
  /** The window without the room for the model's answer, in tokens. */
  usable: number
}

function sessionRow(overview: SessionOverview, configuration: Configuration): SessionRow {
  const { facts } = overview
  const { window } = chooseWindow(undefined, facts, configuration)
  return { ...overview, usable: usableOf(window, policyOf(configuration, facts.model)) }
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

// From the first width on, figures are shown; then the program that wrote each session; then whole
// names, and names of files.
const [narrow, wide, wider] = [78, 110, 160]

function fieldsFor(width: number, { env, cwd }: Io): Field<SessionRow>[] {
  const now = Date.now()
  const pathOf = (path: string): string =>
    isAbsolute(path) ? pathForReader(path, foldersOf(env), cwd) : path
  const fromText = ({ facts: { format = '', source } }: SessionRow): string =>
    sanitizeLine(`${format} ${source !== undefined && width >= wider ? pathOf(source) : ''}`)
  return [
    {
      heading: 'session',
      ...(width < wider && { clip: 'end' }),
      cell: ({ id }) => sanitizeLine(id),
    },
    { heading: 'written', cell: ({ at }) => whenText(at, now) },
    { ...right('entries'), cell: ({ newest }) => withThousands(newest) },
    { ...right('context'), cell: ({ tokens, counted }) => tokensText(tokens, counted) },
    { ...right('full'), cell: ({ tokens, usable }) => fullText(tokens, usable), from: narrow },
    {
      ...right('compacted'),
      cell: ({ compactions }) => (compactions === 0 ? '–' : `${compactions}×`),
      from: narrow,
    },
    { heading: 'title', clip: 'end', cell: ({ title = '' }) => titleText(title) },
    { heading: 'from', clip: 'start', cell: fromText, from: wide },
  ]
}
