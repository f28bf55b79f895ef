import { takeSubstitution, type Cursor } from './cursor.ts'
import { readWord } from './read-word.ts'
import type { ShellCommand } from './script.ts'

/** Adds `> file`, `2>&1`, `<<EOF` and the like to the command. */
export function readRedirection(cursor: Cursor, command: ShellCommand, descriptor?: number): void {
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
