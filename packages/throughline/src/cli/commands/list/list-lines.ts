import { plainReason } from '../../output/write-reason.ts'
import { isAbsolute } from 'node:path'
import { foldersOf, pathForReader } from '../../../config/folders.ts'
import { sanitizeLine } from '../../../log/sanitize.ts'
import { clipPath, wrap } from '../../terminal/columns.ts'
import { foundName } from '../../source/session-found.ts'
import { counted, dollarText, percent, whenText, withThousands } from '../../terminal/numbers.ts'
import { paintFor } from '../../terminal/colour.ts'
import { shownPath } from '../../paths.ts'
import { table, type Column } from '../../terminal/table.ts'
import type { FoundSession, Unreadable } from '../../../harnesses/found-session.ts'
import type { Io } from '../../io.ts'
import type { ListRow } from './rows.ts'
import { shownName } from '../../store/session-name.ts'

interface Shown {
  rows: readonly ListRow[]
  /** All found sessions, newest first. */
  all: readonly FoundSession[]
  /** How many more were asked for. */
  left: number
  unreadable: readonly Unreadable[]
}

// From this width on, there is room for the size; then for the directory; then for unshortened ids.
const roomy = 100
const wide = 110
const wider = 200
// The title gets the rest.
const directoryShare = 0.2

/** The sessions of harnesses, newest first. */
export function listLines({ rows, all, left, unreadable }: Shown, io: Io): string[] {
  const width = io.stdout.columns()
  const rest = [...olderLines(left), ...unreadableLines(unreadable, io, width)]
  if (rows.length === 0) return ['No sessions were found.', ...rest]
  const paint = paintFor(io.stdout, io.env)
  const [heading = '', ...lines] = sessionLines(rows, all, io, width)
  const marked = lines.map((line, index) => (isFull(rows[index]) ? paint('red', line) : line))
  return [paint('bold', heading), ...marked, ...rest]
}

// Beyond this, a session compacts or fails within a few steps.
const nearlyFull = 0.9
// Beyond this, figures tell nothing more.
const most = 9.99

function isFull(row: ListRow | undefined): boolean {
  const { preview, usable } = row ?? {}
  return (preview?.tokens?.count ?? 0) > nearlyFull * (usable ?? Infinity)
}

/** A heading, and a line for each session. */
export function sessionLines(
  rows: readonly ListRow[],
  all: readonly FoundSession[],
  io: Io,
  width: number,
): string[] {
  const now = Date.now()
  const names = width >= wider ? rows.map(wholeName) : shortNames(rows.map(idOf), all)
  // Where no session has been read for its costs yet, titles need the room.
  const isPriced = rows.some(({ money }) => money !== undefined)
  const columns: Column[] = [
    { heading: 'session' },
    { heading: 'written' },
    ...(width >= roomy ? [{ heading: 'size', side: 'right' } as const] : []),
    { heading: 'tokens', side: 'right' },
    { heading: 'full', side: 'right' },
    ...(isPriced ? [{ heading: 'cost', side: 'right' } as const] : []),
    { heading: 'title', clip: 'end' },
    ...(width >= wide ? [{ heading: 'directory', clip: 'start' } as const] : []),
  ]
  const cells = rows.map(({ found, preview, usable, money }, index) => [
    names[index] ?? '',
    whenText(found.at, now),
    ...(width >= roomy ? [bytesText(preview.bytes)] : []),
    tokensText(preview.tokens),
    preview.tokens ? fullText(preview.tokens.count, usable) : '–',
    ...(isPriced ? [money ? dollarText(money.dollars) : '–'] : []),
    titleText(preview.title ?? ''),
    ...(width >= wide
      ? [clipPath(directoryText(preview.directory, io), width * directoryShare)]
      : []),
  ])
  return table(columns, cells, width)
}

function idOf({
  found: { harness },
  preview: { id },
}: ListRow): Pick<FoundSession, 'harness' | 'id'> {
  return { harness, id }
}

function wholeName(row: ListRow): string {
  return foundName(idOf(row))
}

/** Sizes that a provider didn't count are shown as estimates. */
function tokensText(tokens: ListRow['preview']['tokens']): string {
  if (!tokens) return '–'
  return `${tokens.from === 'estimate' ? '~' : ''}${withThousands(tokens.count)}`
}

/** How full the window is; a mark where it is nearly full. */
export function fullText(tokens: number, usable: number): string {
  if (tokens > most * usable) return `>${percent(most, 1)}!`
  return `${percent(tokens, usable)}${tokens > nearlyFull * usable ? '!' : ' '}`
}

function directoryText(directory: string | undefined, { env, cwd }: Io): string {
  if (directory === undefined) return '–'
  const isHere = isAbsolute(directory) && directory === cwd
  if (isHere) return '.'
  return shownPath(
    isAbsolute(directory) ? pathForReader(directory, foldersOf(env), cwd) : directory,
  )
}

function olderLines(left: number): string[] {
  return left > 0 ? [`… and ${counted(left, 'older one')}; --all shows them`] : []
}

const mostNamed = 3

/** What could not be read, each with one sentence about why. */
export function unreadableLines(
  unreadable: readonly Unreadable[],
  io: Io,
  width: number,
): string[] {
  if (unreadable.length === 0) return []
  const named = unreadable
    .slice(0, mostNamed)
    .flatMap(({ file, reason }) => [
      `  ${clipPath(shownPath(pathForReader(file, foldersOf(io.env), io.cwd)), width - 2)}`,
      ...wrap(sanitizeLine(plainReason(firstSentence(reason)).slice(0, 120)), width - 4).map(
        (each) => `    ${each}`,
      ),
    ])
  const more =
    unreadable.length > mostNamed ? [`  … and ${unreadable.length - mostNamed} more`] : []
  return [`${counted(unreadable.length, 'place')} could not be read:`, ...named, ...more]
}

/** Without the remedy, which is shown when the session itself is opened. */
function firstSentence(text: string): string {
  return text.split('. ', 1)[0] ?? text
}

// This many characters of a title are enough; its markup takes some more.
const longest = 200
const looked = 1000

/** The human's first message on one line; a Claude Code command without its markup. */
export function titleText(title: string): string {
  const words = title.slice(0, looked).replace(/<\/?command-[a-z]+>/g, ' ')
  return sanitizeLine(words).replace(/\s+/g, ' ').trim().slice(0, longest)
}

const units = ['B', 'kB', 'MB', 'GB', 'TB']

/** The size of a file in three digits: `4.2 MB`. */
export function bytesText(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  const digits = unit === 0 || value >= 9.95 ? 0 : 1
  return `${value.toFixed(digits)} ${units[unit] ?? ''}`
}

type Named = Pick<FoundSession, 'harness' | 'id'>

// The part of an id that people read to each other, after the common beginning of such ids: `ses_`.
const shortest = 8

/** Names that commands accept, each as short as the ids of its harness allow. */
export function shortNames(shown: readonly Named[], all: readonly Named[]): string[] {
  return shown.map((session) => {
    const { prefix, name } = session.harness
    const others = new Set(all.flatMap(({ harness, id }) => (harness.name === name ? [id] : [])))
    let length = session.id.indexOf('_') + 1 + shortest
    for (const other of others) {
      // The id itself, or the part of it in the file name.
      if (session.id.startsWith(other)) continue
      length = Math.max(length, sharedLength(session.id, other) + 1)
    }
    return shownName(`${prefix}:${session.id.slice(0, length)}`)
  })
}

function sharedLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}
