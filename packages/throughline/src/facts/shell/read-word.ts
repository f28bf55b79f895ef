import { takeSubstitution, type Cursor } from './cursor.ts'
import type { Word } from './script.ts'

const ENDS_WORD = ' \t\r\n;&|<>()'
const ENDS_PLAIN = `${ENDS_WORD}\\'"$\``
const GLOB = '*?['

/** Reads one word: text, quotes and substitutions up to the next blank or operator. */
export function readWord(cursor: Cursor): Word {
  const { text } = cursor
  const word: Word = { text: '', plain: true }
  while (cursor.at < text.length) {
    const sign = text[cursor.at] as string
    if (ENDS_WORD.includes(sign)) break
    if (sign === '\\') takeEscape(cursor, word)
    else if (sign === "'") takeSingleQuotes(cursor, word)
    else if (sign === '"') takeDoubleQuotes(cursor, word)
    else if (sign === '$') takeExpansion(cursor, word)
    else if (sign === '`') takeBackquotes(cursor, word)
    else takePlain(cursor, word)
  }
  return word
}

function takePlain(cursor: Cursor, word: Word): void {
  const { text } = cursor
  const start = cursor.at
  while (cursor.at < text.length && !ENDS_PLAIN.includes(text[cursor.at] as string)) {
    const sign = text[cursor.at] as string
    if (GLOB.includes(sign)) word.plain = false
    if (sign === '{' && text[cursor.at + 1] !== '}') word.plain = false
    cursor.at++
  }
  word.text += text.slice(start, cursor.at)
}

/** `C:`, and what may follow it in a path of Windows. */
const DRIVE = /^[A-Za-z]:/
const IN_NAME = /[\w.@+~-]/

function takeEscape(cursor: Cursor, word: Word): void {
  const next = cursor.text[cursor.at + 1]
  cursor.at += 2
  // A shell would take the backslash away, and the path with it: what is meant is the path.
  if (next !== undefined && IN_NAME.test(next) && DRIVE.test(word.text)) word.text += '\\'
  if (next === '\r' && cursor.text[cursor.at] === '\n') cursor.at++
  else if (next !== undefined && next !== '\n') word.text += next
}

function takeSingleQuotes(cursor: Cursor, word: Word): void {
  const end = cursor.text.indexOf("'", cursor.at + 1)
  if (end < 0) word.plain = false
  word.text += cursor.text.slice(cursor.at + 1, end < 0 ? cursor.text.length : end)
  cursor.at = end < 0 ? cursor.text.length : end + 1
}

function takeDoubleQuotes(cursor: Cursor, word: Word): void {
  const { text } = cursor
  cursor.at++
  while (cursor.at < text.length) {
    const sign = text[cursor.at] as string
    if (sign === '"') {
      cursor.at++
      return
    }
    if (sign === '\\') {
      const next = text[cursor.at + 1] ?? ''
      cursor.at += 2
      if (next !== '\n') word.text += '"\\$`'.includes(next) ? next : sign + next
    } else if (sign === '$') takeExpansion(cursor, word)
    else if (sign === '`') takeBackquotes(cursor, word)
    else {
      const start = cursor.at
      while (cursor.at < text.length && !'"\\$`'.includes(text[cursor.at] as string)) cursor.at++
      word.text += text.slice(start, cursor.at)
    }
  }
  word.plain = false
}

function takeExpansion(cursor: Cursor, word: Word): void {
  const { text } = cursor
  const next = text[cursor.at + 1] ?? ''
  if (next === "'") {
    takeAnsiQuotes(cursor, word)
  } else if (next === '(') {
    cursor.at += 2
    takeSubstitution(cursor)
    word.plain = false
  } else if (next === '{') {
    word.plain = false
    skipBraces(cursor)
  } else if (/[A-Za-z0-9_?!#@*$-]/.test(next)) {
    word.plain = false
    word.text += '$'
    cursor.at++
  } else {
    word.text += '$'
    cursor.at++
  }
}

function takeAnsiQuotes(cursor: Cursor, word: Word): void {
  const { text } = cursor
  cursor.at += 2
  const start = cursor.at
  while (cursor.at < text.length && text[cursor.at] !== "'")
    cursor.at += text[cursor.at] === '\\' ? 2 : 1
  const body = text.slice(start, Math.min(cursor.at, text.length))
  if (body.includes('\\') || cursor.at >= text.length) word.plain = false
  word.text += body
  cursor.at = Math.min(text.length, cursor.at + 1)
}

function takeBackquotes(cursor: Cursor, word: Word): void {
  const { text } = cursor
  word.plain = false
  cursor.at++
  while (cursor.at < text.length && text[cursor.at] !== '`')
    cursor.at += text[cursor.at] === '\\' ? 2 : 1
  cursor.at = Math.min(text.length, cursor.at + 1)
}

/** `${name:-default}`: reads up to the closing brace. */
function skipBraces(cursor: Cursor): void {
  const { text } = cursor
  let open = 0
  while (cursor.at < text.length) {
    const sign = text[cursor.at] as string
    cursor.at += sign === '\\' ? 2 : 1
    if (sign === '{') open++
    else if (sign === '}' && --open <= 0) return
  }
}
