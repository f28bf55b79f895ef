import { existsSync } from 'node:fs'
import { sources } from '../../../formats/harnesses.ts'
import { findSessions } from '../../../harnesses/find/find-sessions.ts'
import { surroundingsOf } from '../../../harnesses/find-program.ts'
import { loadOwnConfig, type Configuration } from '../../../config/load-config.ts'
import { sanitizeLine } from '../../../log/sanitize.ts'
import { providerNames } from '../compact/model/chosen-model.ts'
import { shortNames, titleText } from '../list/list-lines.ts'
import { inStore, isThere, knownStoreFile } from '../../store/open-store.ts'
import { openIndex, searchFile } from '../../store/search-file.ts'
import { formNames, harnessNames } from '../../written/handover.ts'
import { whenText } from '../../terminal/numbers.ts'
import { scripts } from './scripts.ts'
import { optionsIn, type Command, type Listed } from '../../command.ts'
import type { Io } from '../../io.ts'

/** A word that may come next, and what it means. */
export interface Suggestion {
  word: string
  means: string
}

// More than anyone reads.
const mostSessions = 60

/** What the last of these words may become. */
export async function suggestions(
  commands: readonly Listed[],
  words: readonly string[],
  io: Io,
): Promise<Suggestion[]> {
  const [name = '', ...rest] = words
  const current = rest.at(-1) ?? name
  const all = rest.length === 0 ? commandWords(commands) : await wordsOf(commands, name, rest, io)
  return all.filter(({ word }) => word.startsWith(current))
}

function commandWords(commands: readonly Listed[]): Suggestion[] {
  const own = commands.map(({ name, summary }) => ({ word: name, means: summary }))
  return [...own, ...['--help', '--version'].map((word) => ({ word, means: '' }))]
}

async function wordsOf(
  commands: readonly Listed[],
  name: string,
  rest: readonly string[],
  io: Io,
): Promise<Suggestion[]> {
  if (name === 'help') return commandWords(commands)
  const listed = commands.find((each) => each.name === name)
  if (!listed) return []
  const command = await listed.load()
  const current = rest.at(-1) ?? ''
  const before = rest.at(-2)
  const option = optionsIn(command.options).find(
    ({ name, short, value }) =>
      value !== undefined && (before === `--${name}` || before === `-${short}`),
  )
  if (option) return plain(words[option.name] ?? [])
  if (current.startsWith('-')) return optionWords(command)
  const argument = command.arguments[positionals(command, rest).length - 1]
  const last = command.arguments.at(-1)
  return argumentWords(argument?.name ?? (last?.rest ? last.name : ''), command, io)
}

/** The words that are neither options nor their values. */
function positionals({ options }: Command, rest: readonly string[]): string[] {
  const valued = new Set(
    optionsIn(options).flatMap(({ name, short, value }) =>
      value === undefined ? [] : [`--${name}`, ...(short === undefined ? [] : [`-${short}`])],
    ),
  )
  return rest.filter((word, index) => {
    const before = rest[index - 1]
    return !word.startsWith('-') && !(before !== undefined && valued.has(before))
  })
}

function optionWords({ options }: Command): Suggestion[] {
  const own = optionsIn(options).map(({ name, help }) => ({
    word: `--${name}`,
    means: firstSentence(help),
  }))
  return [...own, { word: '--help', means: 'Show this help.' }]
}

function firstSentence(text: string): string {
  return text.split(/(?<=\.) /, 1)[0] ?? ''
}

const plain = (words: readonly string[]): Suggestion[] => words.map((word) => ({ word, means: '' }))

/** The words that options and arguments take, by their names. */
const words: Readonly<Record<string, readonly string[]>> = {
  to: formNames,
  in: harnessNames,
  format: ['text', 'markdown', 'ai-sdk'],
  since: ['today', 'yesterday', '7d', '30d'],
  model: providerNames.map((name) => `${name}/`),
  window: ['32k', '64k', '128k', '200k', '1m'],
  client: ['opencode', 'pi', 'claude', 'codex', 'qwen', 'gemini', 'copilot'],
  shell: Object.keys(scripts),
}

async function argumentWords(name: string, command: Command, io: Io): Promise<Suggestion[]> {
  if (name === 'session') return sessionWords(command, io)
  if (name === 'harness') return sources.map(({ prefix, name }) => ({ word: prefix, means: name }))
  return plain(words[name] ?? [])
}

/** Sessions by name; commands that work in the store get no others. */
async function sessionWords(command: Command, io: Io): Promise<Suggestion[]> {
  const configuration = await loadOwnConfig(io)
  const stored = await storedWords(configuration, io).catch(() => [])
  const onlyStored = command.arguments.some(({ give }) =>
    give.includes('throughline list --stored'),
  )
  if (onlyStored) return stored
  const { sessions } = await findSessions(surroundingsOf(io.env), { signal: io.signal })
  const titles = titlesIn(configuration)
  const newest = sessions.slice(0, mostSessions)
  const names = shortNames(newest, sessions)
  const now = Date.now()
  const found = newest.map((session, index) => ({
    word: names[index] ?? '',
    means: `${whenText(session.at, now)}  ${titles.get(session.id) ?? ''}`.trim(),
  }))
  const latest = [...new Set(sessions.map(({ harness }) => harness.prefix))].map((prefix) => ({
    word: `${prefix}:latest`,
    means: 'the newest one',
  }))
  return [{ word: 'latest', means: 'the newest session of all' }, ...latest, ...found, ...stored]
}

async function storedWords(configuration: Configuration, io: Io): Promise<Suggestion[]> {
  const file = knownStoreFile(configuration)
  if (file === undefined || !(await isThere(file))) return []
  const quiet = { ...io, stderr: { ...io.stderr, write: async () => {} } }
  const sessions = await inStore(configuration, quiet, (store) => store.sessions())
  return sessions
    .toSorted((one, other) => other.at - one.at)
    .slice(0, mostSessions)
    .filter(({ id }) => /^[\w.:@+/-]+$/.test(id))
    .map(({ id }) => ({ word: id, means: 'in the store' }))
}

/** What the search index remembers of them; to look at each would take too long. */
function titlesIn(configuration: Configuration): Map<string, string> {
  if (knownStoreFile(configuration) === undefined) return new Map()
  const file = searchFile(configuration)
  if (!existsSync(file)) return new Map()
  try {
    const index = openIndex(file)
    try {
      const rows = index.all('SELECT id, title FROM sessions')
      return new Map(
        rows.map((row) => [String(row['id']), sanitizeLine(titleText(String(row['title'] ?? '')))]),
      )
    } finally {
      index.close()
    }
  } catch {
    return new Map()
  }
}
