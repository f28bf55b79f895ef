import { plainReason } from '../../output/write-reason.ts'
import { isAbsolute } from 'node:path'
import { foldersOf, pathForReader } from '../../../config/folders.ts'
import { sanitizeLine } from '../../../log/sanitize.ts'
import { clipPath } from '../../terminal/columns.ts'
import { foundName } from '../../source/session-found.ts'
import { counted, dollarText, percent, whenText, withThousands } from '../../terminal/numbers.ts'
import type { Screen } from '../../terminal/colour.ts'
import { shownPath } from '../../paths.ts'
import { fieldTable, indentedText, type Column, type Field } from '../../terminal/table.ts'
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

/** The sessions of harnesses, newest first. */
export function listLines(
  { rows, all, left, unreadable }: Shown,
  screen: Screen,
  io: Io,
): string[] {
  const { width, paint } = screen
  const rest = [...olderLines(left), ...unreadableLines(unreadable, io, width)]
  if (rows.length === 0) return ['No sessions were found.', ...rest]
  const [heading = '', ...lines] = sessionLines(rows, all, io, width)
  const marked = lines.map((line, index) => {
    const { preview, usable } = rows[index] as ListRow
    return isFull(preview.tokens?.count ?? 0, usable) ? paint('red', line) : line
  })
  return [paint('bold', heading), ...marked, ...rest]
}

export function olderLines(left: number): string[] {
  return left > 0 ? [`… and ${counted(left, 'older one')}; --all shows them`] : []
}

// From this width on, ids are not shortened.
const wider = 200
// The title gets what the other columns leave.
const directoryShare = 0.2

/** A heading, and a line for each session. */
export function sessionLines(
  rows: readonly ListRow[],
  all: readonly FoundSession[],
  io: Io,
  width: number,
): string[] {
  const now = Date.now()
  const ids = rows.map(({ found: { harness }, preview: { id } }) => ({ harness, id }))
  const names = width >= wider ? ids.map(foundName) : shortNames(ids, all)
  const pathOf = (directory: string | undefined): string =>
    clipPath(directoryText(directory, io), width * directoryShare)
  const cost: Field<ListRow> = {
    ...right('cost'),
    cell: ({ money }) => (money ? dollarText(money.dollars) : '–'),
  }
  const fields: Field<ListRow>[] = [
    { heading: 'session', cell: (_, index) => names[index] ?? '' },
    { heading: 'written', cell: ({ found }) => whenText(found.at, now) },
    { ...right('size'), cell: ({ preview }) => bytesText(preview.bytes), from: 100 },
    {
      ...right('tokens'),
      cell: ({ preview: { tokens } }) => tokensText(tokens?.count, tokens?.from !== 'estimate'),
    },
    { ...right('full'), cell: ({ preview, usable }) => fullText(preview.tokens?.count, usable) },
    // If no session has been read for its costs yet, titles get the room.
    ...(rows.some(({ money }) => money !== undefined) ? [cost] : []),
    { heading: 'title', clip: 'end', cell: ({ preview }) => titleText(preview.title ?? '') },
    {
      heading: 'directory',
      clip: 'start',
      cell: ({ preview }) => pathOf(preview.directory),
      from: 110,
    },
  ]
  return fieldTable(fields, rows, width)
}

/** A column of figures. */
export function right(heading: string): Column {
  return { heading, side: 'right' }
}

/** A size that no provider counted is an estimate. */
export function tokensText(tokens: number | undefined, isCounted: boolean): string {
  return tokens === undefined ? '–' : `${isCounted ? '' : '~'}${withThousands(tokens)}`
}

// Larger figures say nothing more.
const mostShare = 9.99

// Beyond this, a session compacts or fails within a few steps.
function isFull(tokens: number, usable: number): boolean {
  return tokens > 0.9 * usable
}

/** How full the window is; a mark if it is nearly full. */
export function fullText(tokens: number | undefined, usable: number): string {
  if (tokens === undefined) return '–'
  if (tokens > mostShare * usable) return `>${percent(mostShare, 1)}!`
  return `${percent(tokens, usable)}${isFull(tokens, usable) ? '!' : ' '}`
}

function directoryText(directory: string | undefined, { env, cwd }: Io): string {
  if (directory === undefined) return '–'
  if (!isAbsolute(directory)) return shownPath(directory)
  return directory === cwd ? '.' : shownPath(pathForReader(directory, foldersOf(env), cwd))
}

const mostNamed = 3

/** What could not be read, each with one sentence about why. */
export function unreadableLines(
  unreadable: readonly Unreadable[],
  io: Io,
  width: number,
): string[] {
  if (unreadable.length === 0) return []
  const named = unreadable.slice(0, mostNamed).flatMap(({ file, reason }) => {
    const path = shownPath(pathForReader(file, foldersOf(io.env), io.cwd))
    // The remedy is shown when the session itself is opened.
    const [sentence = ''] = reason.split('. ', 1)
    const why = sanitizeLine(plainReason(sentence).slice(0, 120))
    return [`  ${clipPath(path, width - 2)}`, ...indentedText(why, { width, indent: 4 })]
  })
  const more = unreadable.length - mostNamed
  const rest = more > 0 ? [`  … and ${more} more`] : []
  return [`${counted(unreadable.length, 'place')} could not be read:`, ...named, ...rest]
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
