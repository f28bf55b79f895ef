import { configurationFor, configOptions } from '../../configuration.ts'
import { exitCodes } from '../../errors.ts'
import { findFound } from '../../source/find-found.ts'
import { unknownHarness } from '../../source/filters.ts'
import { safeJson } from '../../output/safe-json.ts'
import { listLines } from './list-lines.ts'
import { type Command, type ParsedArguments, argument, type OptionSpec } from '../../command.ts'
import type { Io } from '../../io.ts'
import { foundName, harnessNamed } from '../../source/session-found.ts'
import type { Unreadable } from '../../../harnesses/found-session.ts'
import { rowsOf, type ListRow } from './rows.ts'
import { harnesses as allHarnesses } from '../../../formats/harnesses.ts'
import { usage } from '../../parse-arguments.ts'
import { jsonOption } from '../../shared-options.ts'
import type { Harness } from '../../../formats/writing/harness.ts'

const usualLimit = 20

const listOptions: readonly OptionSpec[] = [
  {
    name: 'limit',
    short: 'n',
    value: 'N',
    help: `How many to show (default ${usualLimit}).`,
  },
  { name: 'all', help: 'Show all of them.' },
  jsonOption,
  ...configOptions,
]

/** The options of `list`. */
interface ListSettings {
  harnesses: readonly Harness[]
  limit: number
}

/** @throws UsageError */
function listSettings(parsed: ParsedArguments): ListSettings {
  const word = argument(parsed, 'harness')
  return { harnesses: word === '' ? allHarnesses : [harnessOf(word)], limit: limitOf(parsed) }
}

function harnessOf(word: string): Harness {
  const harness = harnessNamed(word)
  if (harness) return harness
  throw unknownHarness('list', 'the harness', word)
}

function limitOf({ values, flags }: ParsedArguments): number {
  const value = values.get('limit')
  if (flags.has('all') && value !== undefined) {
    throw usage('list', '--all shows all of them: omit --limit')
  }
  if (flags.has('all')) return Infinity
  if (value === undefined) return usualLimit
  if (/^\d{1,6}$/.test(value) && Number(value) > 0) return Number(value)
  throw usage('list', `--limit must be a whole number, 1 or more, not ${JSON.stringify(value)}`)
}

export const listCommand: Command = {
  name: 'list',
  description: [
    'Lists the sessions that Claude Code, Codex, opencode, pi, Copilot CLI, Gemini CLI and Qwen Code keep on this machine: when each was last modified, its size, how many tokens its next request holds and how full that makes the window, the human’s first message, and the directory. Other commands accept the name in the first column.',
    'Only the beginning and the end of each session are read. The token count is the provider’s latest; a ~ marks an estimate, and a – an unknown value.',
  ],
  arguments: [
    {
      name: 'harness',
      give: 'one of claude-code, codex, opencode, pi, copilot-cli, gemini-cli, qwen-code',
      optional: true,
    },
  ],
  options: listOptions,
  examples: [
    { command: 'throughline list', does: 'See the newest sessions of all harnesses.' },
    { command: 'throughline list codex -n 5', does: 'The five newest Codex sessions.' },
    { command: 'throughline list --all --json', does: 'All of them, for a program.' },
  ],
  run: runList,
}

async function runList(parsed: ParsedArguments, io: Io): Promise<number> {
  const { harnesses, limit } = listSettings(parsed)
  const configuration = await configurationFor('list', parsed, io)
  const { sessions: all, unreadable } = await findFound(harnesses, io)
  const rows = await rowsOf(all, { limit, configuration, unreadable }, io)
  const text = parsed.flags.has('json')
    ? safeJson(listJson(rows, all.length, unreadable))
    : listLines({ rows, all, unreadable }, io).join('\n')
  await io.stdout.write(`${text}\n`)
  return exitCodes.done
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

function rowJson({ found, preview, usable }: ListRow) {
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
    title: preview.title ?? null,
  }
}
