import type { ShellCommand } from './script.ts'

/** A reader's position in a script. Every character is read once. */
export interface Cursor {
  text: string
  at: number
  /** How many substitutions are open at this position. */
  depth: number
  /** Here-documents whose text begins on the next line. */
  documents: PendingDocument[]
  /** Reads a script inside a substitution, including the bracket that closes it. */
  skipScript: (cursor: Cursor) => void
}

interface PendingDocument {
  delimiter: string
  /** Tabs at the start of its lines don't count (`<<-`). */
  tabs: boolean
  /** Nothing in it is expanded. */
  quoted: boolean
  command: ShellCommand | undefined
}

/** Nested substitutions; deeper ones are machine-made or hostile. */
const DEEPEST = 24

/** Reads up to the closing bracket of a substitution whose opening has been read. */
export function takeSubstitution(cursor: Cursor): void {
  if (cursor.depth >= DEEPEST) {
    cursor.at = cursor.text.length
    return
  }
  cursor.depth++
  cursor.skipScript(cursor)
  cursor.depth--
}

/** Reads the text of the here-documents that begin at the cursor, just after a new line. */
export function takeDocuments(cursor: Cursor): void {
  const pending = cursor.documents
  if (pending.length === 0) return
  cursor.documents = []
  for (const document of pending) takeDocument(cursor, document)
}

function takeDocument(cursor: Cursor, document: PendingDocument): void {
  const { text } = cursor
  const start = cursor.at
  let end = start
  while (end < text.length) {
    const newLine = text.indexOf('\n', end)
    const lineEnd = newLine < 0 ? text.length : newLine
    cursor.at = Math.min(text.length, lineEnd + 1)
    if (isDelimiter(text, end, lineEnd, document)) {
      keep(document, text.slice(start, end))
      return
    }
    end = cursor.at
    if (newLine < 0) break
  }
  cursor.at = text.length
  keep(document, text.slice(start))
}

function isDelimiter(text: string, from: number, to: number, document: PendingDocument): boolean {
  let start = from
  if (document.tabs) while (start < to && text[start] === '\t') start++
  const end = to > start && text[to - 1] === '\r' ? to - 1 : to
  return end - start === document.delimiter.length && text.startsWith(document.delimiter, start)
}

function keep(document: PendingDocument, body: string): void {
  if (document.command === undefined) return
  const expands = !document.quoted && (body.includes('$') || body.includes('`'))
  if (!expands) document.command.document = body
}
