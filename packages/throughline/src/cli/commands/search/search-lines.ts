import { isAbsolute } from 'node:path'
import { foldersOf, pathForReader } from '../../../config/folders.ts'
import { sanitizeLine } from '../../../log/sanitize.ts'
import { harnessNamed, foundName } from '../../source/session-found.ts'
import { shownName } from '../../store/session-name.ts'
import { shownPath } from '../../paths.ts'
import { paintFor, type Paint } from '../../terminal/colour.ts'
import { clipPath, clipWords, columnsOf, wrap } from '../../terminal/columns.ts'
import { counted, whenText } from '../../terminal/numbers.ts'
import { shortNames, titleText } from '../list/list-lines.ts'
import { excerptOf, type Piece } from './excerpt.ts'
import type { FoundSession } from '../../../harnesses/found-session.ts'
import type { Io } from '../../io.ts'
import type { SearchAnswer, SearchHit, SearchQuestion, SessionHits } from './ask-index.ts'

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
export function searchLines({ answer, question, all, now }: Shown, io: Io): string[] {
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
export function nameOf({ client, id }: SessionHits, all: readonly FoundSession[]): string {
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
