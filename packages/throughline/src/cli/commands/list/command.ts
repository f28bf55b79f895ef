import { configurationFor } from '../../configuration.ts'
import { findFound } from '../../source/find-found.ts'
import {
  filterOptions,
  filtersIn,
  unknownHarness,
  type SessionFilters,
} from '../../source/filters.ts'
import { printAnswer } from '../../output/print-answer.ts'
import { listLines } from './list-lines.ts'
import {
  argument,
  optionsIn,
  type Command,
  type Options,
  type ParsedArguments,
} from '../../command.ts'
import type { Io } from '../../io.ts'
import { foundName, harnessNamed } from '../../source/session-found.ts'
import type { Unreadable } from '../../../harnesses/found-session.ts'
import { listStored } from './stored.ts'
import { rowsOf, type ListRow } from './rows.ts'
import { countOption, usage } from '../../parse-arguments.ts'
import type { Screen } from '../../terminal/colour.ts'
import { jsonOption, storeOptions } from '../../shared-options.ts'

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
    'Lists the sessions that Claude Code, Codex, opencode, pi, Copilot CLI, Gemini CLI and Qwen Code keep on this machine: when each was last modified, its size, how many tokens its next request has and how full the window then is, what its requests have cost, the human’s first message, and the directory. A session that is more than 90% full is marked with !. Other commands accept the name in the first column.',
    'Costs are the token counts of the provider at list prices; subagents are not included. The costs of a session are computed once and saved next to the store. For all other columns, only the beginning and the end of each session are read. The token count is the provider’s latest. A ~ marks an estimate of what the session’s file holds, which is mostly the messages alone, without system prompt and tools. A – marks an unknown value.',
  ],
  arguments: [
    {
      name: 'harness',
      give: 'one of claude-code, codex, opencode, pi, copilot-cli, gemini-cli, qwen-code',
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

/** The object printed by `list --json`. */
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
