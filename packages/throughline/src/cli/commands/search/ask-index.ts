import { textOf } from '../../../json/fields.ts'
import { inflateRawSync } from 'node:zlib'
import { cleanPath } from '../../../facts/paths/clean-path.ts'
import { searchPhrases, searchWords } from '../../../session/recall/search-words.ts'
import type { IndexFile, Row } from '../../store/search-file.ts'
import type { Said } from './indexed.ts'
import type { SQLInputValue } from 'node:sqlite'

/** What to search for. Every field narrows it down. */
export interface SearchQuestion {
  phrases: readonly (readonly string[])[]
  clients: readonly string[]
  /** Only sessions of these directories and of what is below them. */
  directories: readonly string[]
  /** Only what was said after, in milliseconds since 1970. */
  since: number | undefined
  path: string | undefined
  tool: string | undefined
}

export interface SearchHit {
  ref: string
  /** Milliseconds since 1970; 0 where the session has no times. */
  at: number
  said: Said
  tool: string | undefined
  paths: readonly string[]
  text: string
}

/** A session with hits, the best hit first. */
export interface SessionHits {
  client: string
  id: string
  file: string
  written: number
  title: string | undefined
  directory: string | undefined
  hits: readonly SearchHit[]
  total: number
}

/** The sessions with the best hits, and whether all words had to be in one passage. */
export interface SearchAnswer {
  match: 'all' | 'any'
  sessions: readonly SessionHits[]
  /** How many there are in total, of sessions and of hits. */
  total: { sessions: number; hits: number }
}

// People remember what was said rather than what was printed.
const weight = `CASE p.said WHEN 'you' THEN 2.0 WHEN 'agent' THEN 1.5 WHEN 'summary' THEN 1.2
  WHEN 'client' THEN 0.5 ELSE 1.0 END`

// A hit of last year counts half as much as one of today.
const halfLife = 365 * 86_400_000

/** Searches; where no passage has all of the words, for passages that have some of them. */
export function askIndex(
  index: IndexFile,
  question: SearchQuestion,
  limits: { sessions: number; hits: number; now: number },
): SearchAnswer {
  const all = rowsFor(index, question, 'all', limits.now)
  const tryAny = all.length === 0 && question.phrases.length > 1
  const rows = tryAny ? rowsFor(index, question, 'any', limits.now) : all
  const bySession = Map.groupBy(rows, (row) => Number(row['session']))
  const shown = [...bySession].slice(0, limits.sessions)
  return {
    match: tryAny ? 'any' : 'all',
    sessions: shown.map(([session, own]) => sessionHits(index, session, own, limits.hits)),
    total: { sessions: bySession.size, hits: rows.length },
  }
}

/** The passages that match, best first. */
function rowsFor(
  index: IndexFile,
  question: SearchQuestion,
  match: 'all' | 'any',
  now: number,
): Row[] {
  const { clients, directories, since, tool, path } = question
  const words = expression(question, match)
  const where: string[] = []
  const values: SQLInputValue[] = []
  const also = (sql: string, ...more: SQLInputValue[]): void => {
    where.push(sql)
    values.push(...more)
  }
  if (words !== '') also('words MATCH ?', words)
  if (clients.length > 0) also(`s.client IN (${clients.map(() => '?').join()})`, ...clients)
  if (since !== undefined) also('(CASE p.at WHEN 0 THEN s.written ELSE p.at END) >= ?', since)
  if (tool !== undefined) also('lower(p.tool) = ?', tool.toLowerCase())
  if (directories.length > 0) {
    const inside = directories.map(() => "s.directory = ? OR substr(s.directory, 1, ?) = ? || '/'")
    const given = directories.flatMap((each) => [each, each.length + 1, each])
    also(`(${inside.join(' OR ')})`, ...given)
  }
  const score =
    question.phrases.length === 0
      ? 'max(p.at, 0) AS score'
      : `-bm25(words) * ${weight} / (1.0 + max(0, ${Math.floor(now)} - s.written) / ${halfLife}.0) AS score`
  const from = words === '' ? 'passages p' : 'words JOIN passages p ON p.id = words.rowid'
  const rows = index.all(
    `SELECT p.id, p.session, p.paths, ${score}
     FROM ${from} JOIN sessions s ON s.number = p.session
     ${where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`}
     ORDER BY score DESC, p.id DESC`,
    ...values,
  )
  return path === undefined ? rows : rows.filter((row) => namesFile(row['paths'], path))
}

/** The words in the syntax of FTS5: letters and digits alone, in quotes. */
function expression({ phrases, path, tool }: SearchQuestion, match: 'all' | 'any'): string {
  const words = phrases
    .map((phrase) => `"${phrase.join(' ')}" *`)
    .join(match === 'all' ? ' AND ' : ' OR ')
  const own = [
    ...(words === '' ? [] : [`(${words})`]),
    ...(path === undefined ? [] : columnPhrases('paths', path)),
    ...(tool === undefined ? [] : columnPhrases('tool', tool)),
  ]
  return own.join(' AND ')
}

function columnPhrases(column: string, text: string): string[] {
  const phrases = searchPhrases(cleanPath(text) ?? text)
  return phrases.map((phrase) => `${column} : "${phrase.join(' ')}"`)
}

/** Whether one of a passage's files is the asked one: by its path, or by the end of it. */
function namesFile(paths: unknown, asked: string): boolean {
  const wanted = cleanPath(asked) ?? asked
  return String(paths ?? '')
    .split('\n')
    .some((path) => {
      const found = cleanPath(path) ?? path
      return found === wanted || found.endsWith(`/${wanted}`) || wanted.endsWith(`/${found}`)
    })
}

function sessionHits(
  index: IndexFile,
  session: number,
  rows: readonly Row[],
  most: number,
): SessionHits {
  const [row = {}] = index.all('SELECT * FROM sessions WHERE number = ?', session)
  return {
    client: String(row['client']),
    id: String(row['id']),
    file: String(row['file']),
    written: Number(row['written']),
    title: textOf(row['title']),
    directory: textOf(row['directory']),
    hits: hitsOf(index, rows, most),
    total: rows.length,
  }
}

/** The best hits; the same words again, as a client repeats them, are left out. */
function hitsOf(index: IndexFile, rows: readonly Row[], most: number): SearchHit[] {
  const hits: SearchHit[] = []
  const seen = new Set<string>()
  for (const { id } of rows) {
    if (hits.length >= most) break
    const [row] = index.all('SELECT * FROM passages WHERE id = ?', Number(id))
    if (!row) continue
    const text = inflateRawSync(row['text'] as Uint8Array).toString('utf8')
    const start = searchWords(text.slice(0, 400)).join(' ')
    if (seen.has(start)) continue
    seen.add(start)
    hits.push({
      ref: String(row['ref']),
      at: Number(row['at']),
      said: String(row['said']) as Said,
      tool: textOf(row['tool']),
      paths: textOf(row['paths'])?.split('\n') ?? [],
      text,
    })
  }
  return hits
}
