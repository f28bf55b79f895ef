import { searchPhrases } from '../../../session/recall/search-words.ts'
import { policyOf } from '../../../config/policy-of.ts'
import { sources } from '../../../formats/harnesses.ts'
import { configurationFor } from '../../configuration.ts'
import { restOf, type Command, type ParsedArguments } from '../../command.ts'
import { CommandError, exitCodes } from '../../errors.ts'
import { safeJson } from '../../output/target.ts'
import { countOption, usage } from '../../parse-arguments.ts'
import { shownPath } from '../../paths.ts'
import { jsonOption, storeOptions } from '../../shared-options.ts'
import { filterOptions, filtersIn, type SessionFilters } from '../../source/filters.ts'
import { findFound } from '../../source/find-found.ts'
import { sanitizeLine } from '../../../log/sanitize.ts'
import { inStore, isThere, isUnusable, storeFile } from '../../store/open-store.ts'
import { counted, whenText } from '../../terminal/numbers.ts'
import {
  askIndex,
  type SearchAnswer,
  type SearchQuestion,
  type SearchHit,
  type SessionHits,
} from './ask-index.ts'
import { excerptOf, type Piece } from './excerpt.ts'
import { openIndex, searchFile, type IndexFile } from '../../store/search-file.ts'
import { inTheStore, sessionCount, updateIndex, type UnreadSession } from './update-index.ts'
import type { Configuration } from '../../../config/load-config.ts'
import type { FoundSession } from '../../../harnesses/found-session.ts'
import type { Io } from '../../io.ts'
import { isAbsolute } from 'node:path'
import { foldersOf, pathForReader } from '../../../config/folders.ts'
import { harnessNamed, foundName } from '../../source/session-found.ts'
import { shownName } from '../../store/session-name.ts'
import { paintFor, type Paint } from '../../terminal/colour.ts'
import { clipPath, clipWords, columnsOf, wrap } from '../../terminal/columns.ts'
import { shortNames, titleText } from '../list/list-lines.ts'

const usualSessions = 10
const hitsOfSession = 3
const hitsInJson = 20

export const searchCommand: Command = {
  name: 'search',
  description: [
    'Searches every session of every client on this machine, and those in the store: what you said, what agents answered, and the inputs and outputs of their tools. One passage must contain all words. The beginning of a word is enough, and words in "double quotes" must be next to each other. The best and newest hits come first, with the command that opens them.',
    'The first search reads all sessions into an index next to the store, a file that only you can read. Later searches read only what has changed. The index contains the sessions’ text; you can delete it at any time.',
  ],
  arguments: [
    { name: 'words', give: 'words to look for, or --path FILE', rest: true, optional: true },
  ],
  options: {
    ...filterOptions,
    '--path FILE': 'Only calls that work on this file: its path, or the end of it.',
    '--tool TOOL': 'Only calls of this tool and their results, such as Bash.',
    '-n, --limit N': `How many sessions to show (default ${usualSessions}).`,
    ...jsonOption,
    ...storeOptions,
  },
  examples: {
    'throughline search feature value': 'Find where both words were said.',
    'throughline search --path src/part1/file1.ts --since 2025-01-01':
      'Find the sessions that worked on a file.',
    'throughline search updated --in claude-code --tool Edit':
      'Search the calls of one tool in the sessions of one client.',
  },
  run: runSearch,
}

async function runSearch(parsed: ParsedArguments, io: Io): Promise<number> {
  const now = Date.now()
  const filters = filtersIn('search', parsed, io, now)
  const question = questionIn(parsed, filters)
  const limit = countOption('search', 'limit', parsed, { usual: usualSessions })
  const configuration = await configurationFor('search', parsed, io)
  const json = parsed.flags.has('json')
  const index = openIndex(searchFile(configuration))
  try {
    const { all, unread } = await upToDate(index, configuration, io)
    const hits = json ? hitsInJson : hitsOfSession
    const answer = askIndex(index, question, { sessions: limit, hits, now })
    await tellUnread(unread, io)
    if (json) {
      await io.stdout.write(`${safeJson(searchJson(answer, question, all))}\n`)
      return exitCodes.done
    }
    if (answer.sessions.length === 0) throw nothingFound(index, parsed)
    await io.stderr.write(`${headline(answer)}\n`)
    await io.stdout.page(`${searchLines({ answer, question, all, now }, io).join('\n')}\n`)
    return exitCodes.done
  } finally {
    index.close()
  }
}

async function upToDate(
  index: IndexFile,
  configuration: Configuration,
  io: Io,
): Promise<{ all: FoundSession[]; unread: UnreadSession[] }> {
  const { sessions: all } = await findFound(sources, io)
  const { lenses } = policyOf(configuration, undefined)
  const withoutStore = (): Promise<UnreadSession[]> =>
    updateIndex(index, { found: all, stored: undefined, lenses }, io)
  const file = storeFile(configuration)
  if (!(await isThere(file))) return { all, unread: await withoutStore() }
  try {
    const unread = await inStore(configuration, io, async (store) => {
      const sessions = await store.sessions()
      return updateIndex(index, { found: all, stored: { store, sessions }, lenses }, io)
    })
    return { all, unread }
  } catch (error) {
    if (!isUnusable(error)) throw error
    return { all, unread: [{ file, reason: error.message }, ...(await withoutStore())] }
  }
}

/** @throws UsageError */
function questionIn(parsed: ParsedArguments, filters: SessionFilters): SearchQuestion {
  const words = restOf(parsed, 'words').join(' ')
  const path = parsed.values.get('path')
  const tool = parsed.values.get('tool')
  const phrases = phrasesIn(words)
  if (phrases.length === 0 && path === undefined && tool === undefined) {
    throw usage(
      'search',
      words === ''
        ? 'what should be searched for? Give words, or --path FILE'
        : 'the question contains no letter and no digit',
    )
  }
  return {
    phrases,
    clients: filters.harnesses === sources ? [] : filters.harnesses.map(({ name }) => name),
    directories: filters.directories,
    since: filters.since,
    path,
    tool,
  }
}

/** Words between double quotes are one phrase. */
function phrasesIn(words: string): string[][] {
  return [...words.matchAll(/"([^"]*)"|([^"]+)/g)].flatMap(([, quoted, bare = '']) =>
    quoted === undefined ? searchPhrases(bare) : [searchPhrases(quoted).flat()].filter(hasWords),
  )
}

function hasWords(phrase: readonly string[]): boolean {
  return phrase.length > 0
}

function headline({ match, sessions, total }: SearchAnswer): string {
  const shown =
    sessions.length < total.sessions ? ` (the best ${sessions.length}: -n shows more)` : ''
  const found = `${counted(total.hits, 'hit')} in ${counted(total.sessions, 'session')}${shown}`
  return match === 'all' ? found : `No passage has all of these words; some of them: ${found}`
}

function nothingFound(index: IndexFile, { values, flags }: ParsedArguments): CommandError {
  const isNarrowed =
    flags.has('here') || ['in', 'since', 'path', 'tool'].some((name) => values.has(name))
  const where = isNarrowed ? 'with these options' : `in ${sessionCount(index)}`
  const less = isNarrowed ? 'fewer words, or without some of the options' : 'other words, or fewer'
  return new CommandError(
    `nothing was found ${where}. Try ${less}; the beginning of a word is enough.`,
  )
}

const longestReason = 300

async function tellUnread(unread: readonly UnreadSession[], { stderr }: Io): Promise<void> {
  const [first] = unread
  if (!first) return
  const others = unread.length > 1 ? ` and ${counted(unread.length - 1, 'other')}` : ''
  await stderr.write(
    `throughline: not searched: ${shownPath(first.file)}${others} (${sanitizeLine(first.reason.slice(0, longestReason))})\n`,
  )
}

function searchJson(
  { match, sessions, total }: SearchAnswer,
  { phrases }: SearchQuestion,
  all: readonly FoundSession[],
) {
  return {
    version: 1,
    match,
    total,
    sessions: sessions.map((session) => ({
      session: nameOf(session, all),
      client: session.client === inTheStore ? null : session.client,
      id: session.id,
      file: session.file || null,
      written: session.written,
      title: session.title ?? null,
      directory: session.directory ?? null,
      total: session.total,
      hits: session.hits.map(({ text, tool, ...hit }) => ({
        ...hit,
        tool: tool ?? null,
        excerpt: excerptOf(text, phrases, 300),
        length: text.length,
      })),
    })),
  }
}

interface Shown {
  answer: SearchAnswer
  question: SearchQuestion
  /** All sessions of this machine, among which names must be unique. */
  all: readonly FoundSession[]
  now: number
}

const excerptLines = 2
const mostColumns = 140

/** What was found, session by session, with the commands that open it. */
function searchLines({ answer, question, all, now }: Shown, io: Io): string[] {
  const paint = paintFor(io.stdout, io.env)
  const width = Math.min(io.stdout.columns(), mostColumns)
  const lines = answer.sessions.flatMap((session) => {
    const name = nameOf(session, all)
    const [best] = session.hits
    return [
      ...headLines(session, name, now, width, paint, io),
      ...session.hits.flatMap((hit) => hitLines(hit, question, now, width, paint)),
      ...(session.total > session.hits.length
        ? [`    … and ${counted(session.total - session.hits.length, 'more hit')} in it`]
        : []),
      `  ${paint('dim', 'open it:')} throughline ${best ? `recall ${name} ${best.ref}` : `report --history ${name}`}${paint('dim', '  or report, resume')}`,
      '',
    ]
  })
  return lines.slice(0, -1)
}

/** The name by which other commands know the session. */
function nameOf({ client, id }: SessionHits, all: readonly FoundSession[]): string {
  const harness = harnessNamed(client)
  if (!harness) return shownName(id)
  const [name] = shortNames([{ harness, id }], all)
  return name ?? foundName({ harness, id })
}

function headLines(
  { title = '', directory, written, client }: SessionHits,
  name: string,
  now: number,
  width: number,
  paint: Paint,
  { env, cwd }: Io,
): string[] {
  const when = whenText(written, now)
  const place =
    directory === undefined
      ? ''
      : shownPath(isAbsolute(directory) ? pathForReader(directory, foldersOf(env), cwd) : directory)
  const from = harnessNamed(client) ? '' : '  in the store'
  const room = width - columnsOf(name) - columnsOf(when) - from.length - 4
  return [
    `${paint('bold', name)}${from}  ${when}  ${paint('dim', clipPath(sanitizeLine(place), room))}`.trimEnd(),
    ...(title === '' ? [] : [`  ${clipWords(titleText(title), width - 2)}`]),
  ]
}

function hitLines(
  hit: SearchHit,
  { phrases, path }: SearchQuestion,
  now: number,
  width: number,
  paint: Paint,
): string[] {
  const who = hit.tool === undefined ? hit.said : `${hit.tool} ${hit.said}`
  const label = `    ${hit.ref}  ${sanitizeLine(who.slice(0, 60))}`
  const when = hit.at > 0 ? `  ${whenText(hit.at, now)}` : ''
  const room = width - 6
  const wanted = phrases.length > 0 || path === undefined ? phrases : []
  const marked = excerptOf(hit.text, wanted, room * excerptLines - 10)
  const all = wrap(sanitizeLine(joined(marked)), room - 1)
  const lines = all.slice(0, excerptLines).map((line, index) => {
    const isCut = index === excerptLines - 1 && all.length > excerptLines
    return `      ${line}${isCut ? '…' : ''}`
  })
  return [paint('cyan', label) + paint('dim', when), ...withMarks(lines, paint)]
}

// Private-use characters that hold the place of a mark while lines are divided; a text that has them
// itself loses them.
const [begin, end] = ['\ue000', '\ue001']

function joined(pieces: readonly Piece[]): string {
  const plain = (text: string): string => text.replace(/[\ue000\ue001]/g, '')
  return pieces
    .map(({ text, isMatch }) => (isMatch ? `${begin}${plain(text)}${end}` : plain(text)))
    .join('')
    .trim()
}

/** Matches in colour; without colours, between asterisks. */
function withMarks(lines: readonly string[], paint: Paint): string[] {
  const isPlain = paint('bold', 'x') === 'x'
  let open = false
  return lines.map((line) => {
    const whole = (open ? line.replace(/\S/, `${begin}$&`) : line).replace(
      /\ue000([^\ue000\ue001]*)\ue001?/g,
      (_, match: string) => (isPlain ? `**${match}**` : paint('bold', paint('yellow', match))),
    )
    open = line.lastIndexOf(begin) > line.lastIndexOf(end)
    return whole.replace(/[\ue000\ue001]/g, '')
  })
}
