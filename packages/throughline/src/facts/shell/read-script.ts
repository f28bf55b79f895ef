import { takeDocuments, takeSubstitution, type Cursor } from './cursor.ts'
import { readWord } from './read-word.ts'
import type { ScriptEvent, ShellCommand } from './script.ts'

type Block = 'branch' | 'case' | 'loop' | 'function' | 'group' | 'subshell'

/** A script that is still being read: what it has said so far, and what is open in it. */
interface Reading {
  events: ScriptEvent[]
  command: ShellCommand | undefined
  list: number
  /** Constructs around this position; a command inside some of them may not run. */
  blocks: Block[]
  /** How many of the blocks may not run, and how many are subshells. */
  guards: number
  subshells: number
  /** The current and-or list has passed an `||`. */
  alternative: boolean
  afterPipe: boolean
}

const OPENERS: Readonly<Record<string, Block>> = {
  if: 'branch',
  case: 'case',
  for: 'loop',
  while: 'loop',
  until: 'loop',
  select: 'loop',
  function: 'function',
  '{': 'group',
}
const CLOSERS = new Set(['fi', 'esac', 'done', '}'])
const FILLERS = new Set(['then', 'else', 'elif', 'do', '!', 'time'])

/**
 * Reads a POSIX shell script, including Bash's extensions, in one pass. It is not a shell: nothing
 * is expanded, and anything it doesn't understand counts as words.
 */
export function readScript(text: string): ScriptEvent[] {
  return readUntil({ text, at: 0, depth: 0, documents: [], skipScript }, '')
}

function skipScript(cursor: Cursor): void {
  readUntil(cursor, ')')
}

function readUntil(cursor: Cursor, end: '' | ')'): ScriptEvent[] {
  const { text } = cursor
  const reading: Reading = {
    events: [],
    command: undefined,
    list: 0,
    blocks: [],
    guards: 0,
    subshells: 0,
    alternative: false,
    afterPipe: false,
  }
  while (cursor.at < text.length) {
    const sign = text[cursor.at] as string
    if (sign === ' ' || sign === '\t' || sign === '\r') cursor.at++
    else if (sign === '\n') takeNewLine(cursor, reading)
    else if (sign === '#') skipComment(cursor)
    else if (sign === ';') takeSemicolon(cursor, reading)
    else if (sign === '&') takeAmpersand(cursor, reading)
    else if (sign === '|') takePipe(cursor, reading)
    else if (sign === '(') takeOpening(cursor, reading)
    else if (sign === ')') {
      cursor.at++
      if (end === ')' && reading.blocks.at(-1) !== 'case' && reading.subshells === 0) break
      takeClosing(reading)
    } else if (sign === '<' || sign === '>') readRedirection(cursor, commandOf(reading))
    else takeWord(cursor, reading)
  }
  endCommand(reading)
  return reading.events
}

function commandOf(reading: Reading): ShellCommand {
  reading.command ??= {
    type: 'command',
    words: [],
    writes: [],
    pipedIn: reading.afterPipe,
    pipedOut: false,
    list: reading.list,
    guarded: reading.alternative || reading.guards > 0,
  }
  reading.afterPipe = false
  return reading.command
}

function open(reading: Reading, block: Block): void {
  reading.blocks.push(block)
  if (block === 'subshell') reading.subshells++
  else if (block !== 'group') reading.guards++
}

function close(reading: Reading): void {
  const block = reading.blocks.pop()
  if (block === 'subshell') reading.subshells--
  else if (block !== undefined && block !== 'group') reading.guards--
}

function endCommand(reading: Reading): void {
  if (reading.command) reading.events.push(reading.command)
  reading.command = undefined
}

function endList(reading: Reading): void {
  endCommand(reading)
  reading.list++
  reading.alternative = false
  reading.afterPipe = false
}

function takeNewLine(cursor: Cursor, reading: Reading): void {
  cursor.at++
  if (!reading.afterPipe) endList(reading)
  takeDocuments(cursor)
}

function takeSemicolon(cursor: Cursor, reading: Reading): void {
  while (cursor.text[cursor.at] === ';') cursor.at++
  endList(reading)
}

function takeAmpersand(cursor: Cursor, reading: Reading): void {
  const next = cursor.text[cursor.at + 1]
  if (next === '>') {
    cursor.at++
    readRedirection(cursor, commandOf(reading))
    return
  }
  cursor.at += next === '&' ? 2 : 1
  if (next === '&') endCommand(reading)
  else endList(reading)
}

function takePipe(cursor: Cursor, reading: Reading): void {
  const next = cursor.text[cursor.at + 1]
  if (next === '|') {
    cursor.at += 2
    endCommand(reading)
    reading.alternative = true
    return
  }
  cursor.at += next === '&' ? 2 : 1
  if (reading.command) reading.command.pipedOut = true
  endCommand(reading)
  reading.afterPipe = true
}

function takeOpening(cursor: Cursor, reading: Reading): void {
  cursor.at++
  const arithmetic = cursor.text[cursor.at] === '('
  if (reading.command === undefined && !arithmetic) {
    open(reading, 'subshell')
    reading.events.push({ type: 'enter' })
    return
  }
  takeSubstitution(cursor)
  if (arithmetic) return
  open(reading, 'function')
  reading.command = undefined
}

function takeClosing(reading: Reading): void {
  endCommand(reading)
  if (reading.blocks.at(-1) !== 'subshell') return
  close(reading)
  reading.events.push({ type: 'leave' })
}

function takeWord(cursor: Cursor, reading: Reading): void {
  const { text } = cursor
  const start = cursor.at
  const word = readWord(cursor)
  if (cursor.at === start) {
    cursor.at++
    return
  }
  const raw = word.text.length === cursor.at - start ? word.text : ''
  const next = text[cursor.at]
  if ((next === '<' || next === '>') && /^\d$/.test(raw)) {
    readRedirection(cursor, commandOf(reading), Number(raw))
    return
  }
  if (reading.command === undefined && takeKeyword(cursor, reading, raw)) return
  commandOf(reading).words.push(word)
}

function takeKeyword(cursor: Cursor, reading: Reading, word: string): boolean {
  const opener = Object.hasOwn(OPENERS, word) ? OPENERS[word] : undefined
  if (opener !== undefined) {
    const head = reading.blocks.at(-1) === 'function' && opener === 'group'
    if (!head) open(reading, opener)
    if (opener === 'loop' || opener === 'case' || opener === 'function') {
      if (word !== 'while' && word !== 'until') skipHead(cursor, word)
    }
    return true
  }
  if (CLOSERS.has(word)) {
    if (reading.blocks.at(-1) !== 'subshell') close(reading)
    return true
  }
  if (word === '[[') {
    skipCondition(cursor)
    return true
  }
  return FILLERS.has(word)
}

/** The words of `for x in a b c` and `case x in` are data. */
function skipHead(cursor: Cursor, keyword: string): void {
  while (cursor.at < cursor.text.length && !'\n;{'.includes(cursor.text[cursor.at] as string)) {
    const start = cursor.at
    const word = readWord(cursor)
    if (cursor.at === start) cursor.at++
    else if (keyword === 'case' && word.text === 'in') return
  }
}

function skipCondition(cursor: Cursor): void {
  const { text } = cursor
  while (cursor.at < text.length && text[cursor.at] !== '\n') {
    if (text[cursor.at] === ']' && text[cursor.at + 1] === ']') {
      cursor.at += 2
      return
    }
    cursor.at++
  }
}

function skipComment(cursor: Cursor): void {
  const end = cursor.text.indexOf('\n', cursor.at)
  cursor.at = end < 0 ? cursor.text.length : end
}

/** Adds `> file`, `2>&1`, `<<EOF` and the like to the command. */
function readRedirection(cursor: Cursor, command: ShellCommand, descriptor?: number): void {
  const { text } = cursor
  if (text[cursor.at] === '<') return readInput(cursor, command)
  cursor.at++
  const append = text[cursor.at] === '>'
  if (append || text[cursor.at] === '|') cursor.at++
  if (text[cursor.at] === '(') return skipProcess(cursor)
  const duplicate = text[cursor.at] === '&'
  if (duplicate) cursor.at++
  skipBlanks(cursor)
  const target = readWord(cursor)
  if (duplicate && /^\d*-?$/.test(target.text)) return
  if (descriptor !== undefined && descriptor > 2) return
  if (target.text !== '') command.writes.push({ target, append })
}

function readInput(cursor: Cursor, command: ShellCommand): void {
  const { text } = cursor
  cursor.at++
  if (text[cursor.at] === '(') return skipProcess(cursor)
  if (text[cursor.at] !== '<') {
    if (text[cursor.at] === '&' || text[cursor.at] === '>') cursor.at++
    skipBlanks(cursor)
    readWord(cursor)
    return
  }
  cursor.at++
  if (text[cursor.at] === '<') {
    cursor.at++
    skipBlanks(cursor)
    const word = readWord(cursor)
    if (word.plain) command.document = word.text
    return
  }
  const tabs = text[cursor.at] === '-'
  if (tabs) cursor.at++
  skipBlanks(cursor)
  const start = cursor.at
  const delimiter = readWord(cursor).text
  const quoted = /['"\\]/.test(text.slice(start, Math.min(cursor.at, start + 200)))
  if (delimiter !== '') cursor.documents.push({ delimiter, tabs, quoted, command })
}

function skipProcess(cursor: Cursor): void {
  cursor.at++
  takeSubstitution(cursor)
}

function skipBlanks(cursor: Cursor): void {
  while (cursor.text[cursor.at] === ' ' || cursor.text[cursor.at] === '\t') cursor.at++
}
