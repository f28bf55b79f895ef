import { withoutBlankEnds } from './blank-ends.ts'
import { fenceOf, openFence } from './fences.ts'
import {
  announcers,
  askingTools,
  beginningPatterns,
  beginnings,
  editorBeginnings,
  followers,
  humanElements,
  humanIntroductions,
  ownElements,
  ownLines,
  quotingElements,
  recallNote,
  requestHeadings,
  resultHeader,
  summaryElement,
} from './client-forms.ts'

/** A part of a user message, and who made it. */
export interface Speech {
  by: 'human' | 'harness' | 'tool'
  text: string
  /** It is where a file could have put it, and where a human could have typed it. */
  unsure?: true
}

/**
 * What stands in the user's place, divided by who made it. Whoever attacks writes files, outputs and
 * names, and with them anything that a client puts into the user's place: so an element that quotes
 * them ends at the last closing tag, and what cannot surely be the human's is not theirs. The
 * stretches joined are the text.
 */
export function speechesOf(text: string): Speech[] {
  if (text === '') return []
  const command = commandOf(text)
  if (command !== undefined) return [{ by: command === '' ? 'harness' : 'human', text }]
  const notes = ownLines.exec(text.slice(0, longestSign))?.[0]
  if (notes !== undefined) {
    return [{ by: 'harness', text: notes }, ...speechesOf(text.slice(notes.length))]
  }
  const by = beginningOf(text)
  if (by !== undefined) return [{ by, text }]
  return editorSpeeches(text) ?? handedOn(text) ?? around(text)
}

/**
 * The same for all texts of one message, in order: some announce what the next one is. `answers` says
 * that the message follows a reply which asked for a tool in words, and can only be its output.
 */
export function speechesIn(texts: readonly string[], answers = false): Speech[][] {
  let next: 'anything' | 'announced' | 'files' | 'output' | 'answer' = answers
    ? 'output'
    : 'anything'
  return texts.map((text): Speech[] => {
    const start = text.trimStart()
    const header = resultHeader.exec(start.slice(0, 4_500))
    const now = next
    if (header !== null && now !== 'files') {
      const whole = text.slice(text.indexOf(header[0]) + header[0].length).trim() !== ''
      const asks = askingTools.has(header[1] ?? '')
      next = asks ? 'answer' : 'output'
      return whole && asks ? answered(text) : [{ by: 'tool', text }]
    }
    if (now === 'files' || now === 'output')
      return text === '' ? [] : [{ by: now === 'files' ? 'harness' : 'tool', text }]
    next = 'anything'
    if (now === 'announced') return text === '' ? [] : [{ by: 'harness', text }]
    if (start.startsWith(followers[0] ?? '')) next = 'files'
    else if (announcers.some((sign) => start.startsWith(sign))) next = 'announced'
    if (now === 'answer') return answered(text)
    return speechesOf(text)
  })
}

/** What the human surely said of the texts of one message. */
export function humanWords(texts: readonly string[], answers = false): string {
  const said = speechesIn(texts, answers).flat()
  const own = said.filter(({ by }) => by === 'human').map(({ text }) => commandOf(text) ?? text)
  const words = own.map((text) => withoutBlankEnds(withoutInside(text)))
  return words.filter((text) => text !== '').join('\n')
}

/** Text that may be the human's or a file's. */
export function unsureWords(texts: readonly string[], answers = false): string {
  const speeches = speechesIn(texts, answers).flat()
  return speeches.flatMap(({ text, unsure }) => (unsure ? [text.trim()] : [])).join('\n')
}

const longestSign = 400

function beginningOf(text: string): 'harness' | 'tool' | undefined {
  const start = text.slice(0, 5_000).trimStart()
  const sign = start.slice(0, longestSign)
  const known = beginnings.find((beginning) => sign.startsWith(beginning.sign))
  return known?.by ?? beginningPatterns.find((beginning) => beginning.sign.test(start))?.by
}

/**
 * What an editor's extension of Codex sent: the human's words are behind the last heading for them,
 * for a selected text may hold one too.
 */
function editorSpeeches(text: string): Speech[] | undefined {
  const start = text.slice(0, longestSign).trimStart()
  if (!editorBeginnings.some((sign) => start.startsWith(sign))) return undefined
  const behind = Math.max(...requestHeadings.map((heading) => behindLast(text, heading)))
  if (behind <= 0) return [{ by: 'harness', text }]
  return [{ by: 'harness', text: text.slice(0, behind) }, ...around(text.slice(behind).trim())]
}

/** Where the text after the last line that is nothing but this begins; 0 if there is none. */
function behindLast(text: string, line: string): number {
  for (let at = text.length; at > 0;) {
    at = text.lastIndexOf(`\n${line}`, at - 1)
    if (at < 0) return 0
    const behind = at + 1 + line.length
    const next = text[behind]
    if (next === undefined || next === '\n' || next === '\r') return behind
  }
  return 0
}

/** What Cline passes on of the human: it comes first, before any file's text could. */
function handedOn(text: string): Speech[] | undefined {
  const start = text.slice(0, longestSign).trimStart()
  const introduced = humanIntroductions.some((sign) => start.startsWith(sign))
  const name = humanElements.find((element) => start.startsWith(`<${element}>`))
  if (name === undefined && !introduced) return undefined
  return answered(text)
}

/** The first element for the human's words in a text, and nothing else of it. */
function answered(text: string): Speech[] {
  let first: { at: number; name: string } | undefined
  for (const name of humanElements) {
    const at = text.indexOf(`<${name}>`)
    if (at >= 0 && (first === undefined || at < first.at)) first = { at, name }
  }
  if (first === undefined) return [{ by: 'harness', text }]
  const start = first.at + first.name.length + 2
  const end = text.indexOf(`</${first.name}>`, start)
  if (end < 0) return [{ by: 'harness', text }]
  return [
    { by: 'harness', text: text.slice(0, start) },
    ...around(text.slice(start, end)),
    { by: 'harness', text: text.slice(end) },
  ]
}

/**
 * The text around the elements and announcements of clients is the human's. Where one stands in a
 * fence of the human's, it was pasted, and so was what follows it up to the end of that fence.
 */
function around(text: string): Speech[] {
  const speeches: Speech[] = []
  const forms = formsIn(text)
  const lastEnd = lastEnds(text)
  let said = 0
  let fence = ''
  const say = (words: string): void => {
    const end = fence === '' ? 0 : endOfFence(words, fence)
    if (end > 0) speeches.push({ by: 'harness', text: words.slice(0, end) })
    speeches.push(...spoken(words.slice(end)))
    fence = openFence(words, fence)
  }
  for (const [index, form] of forms.entries()) {
    const end = form.at < said ? undefined : endOf(text, { forms, index, lastEnd })
    if (end === undefined) continue
    // The blanks in front are layout, as those between two elements are.
    const words = text.slice(said, form.at).trimEnd()
    say(words)
    speeches.push(...quoted(text.slice(said + words.length, end), form))
    said = end
  }
  say(text.slice(said))
  return speeches
}

/** Where the line ends that closes the fence; the whole length where none does. */
function endOfFence(words: string, fence: string): number {
  let at = 0
  for (const line of words.split('\n')) {
    at += line.length + 1
    if (fenceOf(line).startsWith(fence)) return Math.min(at, words.length)
  }
  return words.length
}

/**
 * Where a summary in our form ends: with its first closing tag, for others inside it are escaped, and
 * the note behind it. One that was torn holds all that follows, and so speaks for nobody.
 */
function endOfSummary(text: string, at: number): number {
  const close = text.indexOf(`</${summaryElement}>`, at)
  if (close < 0) return text.length
  const end = close + summaryElement.length + 3
  const behind = skipSpace(text, end)
  const note = recallNote.exec(text.slice(behind, behind + longestNote))
  return note ? behind + note[0].length : end
}

const longestNote = 600

function spoken(text: string): Speech[] {
  if (text === '') return []
  return [{ by: text.trim() === '' ? 'harness' : 'human', text }]
}

/** Elements one after the other are the client's; who wrote the text between and after them is unknown. */
function quoted(text: string, { kind }: Form): Speech[] {
  if (kind !== 'quoting') return [{ by: 'harness', text }]
  let end = 0
  for (;;) {
    const start = skipSpace(text, end)
    const name = text[start] === '<' ? nameAt(text, start) : undefined
    const close = name === undefined ? -1 : text.indexOf(`</${name}>`, start)
    if (name === undefined || close < 0) break
    end = close + name.length + 3
  }
  if (text.slice(end).trim() === '') return [{ by: 'harness', text }]
  const sure: Speech[] = end === 0 ? [] : [{ by: 'harness', text: text.slice(0, end) }]
  return [...sure, { by: 'harness', text: text.slice(end), unsure: true }]
}

/** Where a form of a client begins, or could begin inside another one. */
interface Form {
  kind: 'own' | 'quoting' | 'follower'
  name: string
  at: number
  /** It begins a line, or directly follows another element. */
  begins: boolean
}

function formsIn(text: string): Form[] {
  const forms: Form[] = []
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    const name = nameAt(text, at)
    if (name === undefined) continue
    const before = skipBlanksBack(text, at)
    const begins =
      before === 0 ||
      text[before - 1] === '\n' ||
      (text[before - 1] === '>' && !isQuoteMark(text, before - 1))
    forms.push({ kind: isOwn.has(name) ? 'own' : 'quoting', name, at, begins })
  }
  for (const name of followers) {
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
      const before = skipBlanksBack(text, at)
      if (before > 0 && text[before - 1] !== '\n') continue
      forms.push({ kind: 'follower', name, at, begins: true })
    }
  }
  return forms.toSorted((one, other) => one.at - other.at)
}

/** Whether this sign does not end a tag, but begins a line that the human quotes. */
function isQuoteMark(text: string, at: number): boolean {
  const start = text.lastIndexOf('\n', at) + 1
  return text[at + 1] === ' ' && /^[ >]*$/.test(text.slice(start, at))
}

const isOwn: ReadonlySet<string> = new Set([summaryElement, ...ownElements])
const elements: ReadonlySet<string> = new Set([...isOwn, ...quotingElements])
const longestName = 40

/** The name of the client's element whose opening tag is here. */
function nameAt(text: string, at: number): string | undefined {
  const name = /^<([\w:-]{1,40})[ >]/.exec(text.slice(at, at + longestName + 2))?.[1]
  if (name === undefined || !elements.has(name)) return undefined
  // The client names a file or a skill; a human may speak of elements that are called so.
  if ((name === 'file' || name === 'skill') && text[at + name.length + 1] !== ' ') return undefined
  return name
}

/** A mark for words that were left out to save room: the closing tag of an element may be among them. */
const leftOut = '[… left out here'

/** Where a form ends; `undefined` where it is none, for nothing closes it. */
function endOf(
  text: string,
  { forms, index, lastEnd }: { forms: readonly Form[]; index: number; lastEnd: LastEnd },
): number | undefined {
  const { kind, name, at, begins } = forms[index] as Form
  if (!begins) return undefined
  if (kind === 'follower') return text.length
  if (name === summaryElement) return endOfSummary(text, at)
  let last = lastEnd(name)
  if (last <= at) return kind === 'quoting' && lastEnd(leftOut) > at ? text.length : undefined
  if (kind === 'own') return text.indexOf(`</${name}>`, at) + name.length + 3
  // What opens inside may be another one of the client's, in which the end of this one is a fake.
  for (let next = index + 1; next < forms.length; next++) {
    const inside = forms[next] as Form
    if (inside.at >= last) break
    if (inside.kind === 'quoting') last = Math.max(last, lastEnd(inside.name))
  }
  return last
}

/** Where the last closing tag with this name ends, or the last of these words; 0 if there is none. */
type LastEnd = (name: string) => number

function lastEnds(text: string): LastEnd {
  const known = new Map<string, number>()
  return (name) => {
    const found = known.get(name)
    if (found !== undefined) return found
    const words = name === leftOut ? name : `</${name}>`
    const at = text.lastIndexOf(words)
    const end = at < 0 ? 0 : at + words.length
    known.set(name, end)
    return end
  }
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && isSpace(text.charCodeAt(at))) at++
  return at
}

function skipBlanksBack(text: string, from: number): number {
  let at = from
  while (at > 0 && (text[at - 1] === ' ' || text[at - 1] === '\t')) at--
  return at
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}

const commandStart = /^\s*<command-(?:message|name|args)>/
const argumentsOpen = '<command-args>'
const argumentsClose = '</command-args>'

/**
 * What the human typed behind a slash command, which is theirs: Claude Code wraps the whole line; and
 * what they say behind the command. `undefined` for a text that tells of no command.
 */
function commandOf(text: string): string | undefined {
  if (!commandStart.test(text.slice(0, 400))) return undefined
  const start = text.indexOf(argumentsOpen)
  const end = text.lastIndexOf(argumentsClose)
  if (start < 0 || end < start) return ''
  const behind = humanWords([text.slice(end + argumentsClose.length)])
  return `${text.slice(start + argumentsOpen.length, end).trim()}\n${behind}`.trim()
}

/** Words without the elements of clients among them. */
function withoutInside(words: string): string {
  const forms = formsIn(words)
  if (forms.length === 0) return words
  const lastEnd = lastEnds(words)
  let kept = ''
  let from = 0
  for (const { kind, name, at } of forms) {
    const end =
      kind === 'follower' ? 0 : name === summaryElement ? endOfSummary(words, at) : lastEnd(name)
    if (at < from || end <= at) continue
    kept += words.slice(from, at)
    from = end
  }
  return kept + words.slice(from)
}
