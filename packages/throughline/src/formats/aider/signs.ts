/**
 * The signs by which aider's own lines are told in its transcript. It ends each of them with two
 * spaces; what a model wrote stands between them as it came.
 */

/** What a human typed, line by line: `#### ` and the words. */
export function typedLine(line: string): string | undefined {
  return /^####(?: |$)/.test(line) ? withoutBreak(line.slice(5)) : undefined
}

/** What aider printed: `> ` and the words. Of an output of several lines only the first has it. */
export function printedLine(line: string): string | undefined {
  return /^>(?: |$)/.test(line) ? withoutBreak(line.slice(2)) : undefined
}

export function endsInBreak(line: string): boolean {
  return line.endsWith('  ')
}

/** The two spaces that aider puts at the end of a line are a line break in Markdown. */
export function withoutBreak(line: string): string {
  return endsInBreak(line) ? line.slice(0, -2) : line
}

const start = /^# aider chat started at (\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)\s*$/

/**
 * When aider was started, in milliseconds since 1970; `undefined` for any other line. It writes
 * the time of its machine without the zone: read as UTC, so that every machine reads the same.
 */
export function startIn(line: string): number | undefined {
  const [, year, month, day, hour, minute, second] = (start.exec(line) ?? []).map(Number)
  if (year === undefined || month === undefined) return undefined
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/** Comes after a reply: a block of code that is still open there was never closed. */
export function endsReply(line: string): boolean {
  return /^>(?:\s*$| Tokens: \S+ sent| Applied edit to )/.test(line)
}

/** Aider's only output of several lines that comes directly after a reply. */
export function reportsTokens(line: string): boolean {
  return /^> Tokens: .{1,200} received\.$/.test(line)
}

/** The mark of a fenced block, and the text after it; `undefined` for any other line. */
export interface Fence {
  mark: string
  info: string
}

/** Where a file itself holds fences, aider has its models write an element instead. */
export function fenceIn(line: string): Fence | undefined {
  const [, mark, info = ''] = fence.exec(line.slice(0, 300)) ?? []
  return mark === undefined ? undefined : { mark, info: info.trim() }
}

const fence = /^ {0,3}(`{3,}|~{3,}|<\/?(?:source|code|pre|codeblock|sourcecode)>)([^`<]*)$/

/** Whether a fence ends the block that another one began. */
function closes(open: Fence, { mark, info }: Fence): boolean {
  if (open.mark.startsWith('<')) return mark === `</${open.mark.slice(1)}`
  return info === '' && mark.startsWith(open.mark)
}

/** The three lines around the two halves of an edit. */
export const edit = {
  isStart: (line: string): boolean => /^\s{0,8}<{5,9} SEARCH>?\s*$/.test(line.slice(0, 80)),
  isMiddle: (line: string): boolean => /^\s{0,8}={5,9}\s*$/.test(line.slice(0, 80)),
  isEnd: (line: string): boolean => /^\s{0,8}>{5,9} REPLACE\s*$/.test(line.slice(0, 80)),
}

/** What of a reply is open: a block of code, the SEARCH or REPLACE half of an edit, or both. */
export interface Quoted {
  fence: Fence | undefined
  edit: boolean
}

export const unquoted: Quoted = { fence: undefined, edit: false }

export function isOpen(quoted: Quoted): boolean {
  return quoted.edit || quoted.fence !== undefined
}

/** What is open after a line. */
export function behind(quoted: Quoted, line: string): Quoted {
  const { fence } = quoted
  // An edit of a Markdown file holds fences, which are text there.
  if (quoted.edit) return edit.isEnd(line) ? { fence, edit: false } : quoted
  if (edit.isStart(line)) return { fence, edit: true }
  const found = fenceIn(line)
  if (!found) return quoted
  if (!fence) return found.mark.startsWith('</') ? quoted : { fence: found, edit: false }
  return closes(fence, found) ? unquoted : quoted
}

/** Whether a line is what ends the innermost that is open. */
export function isClosed(quoted: Quoted, line: string): boolean {
  if (quoted.edit) return edit.isEnd(line)
  const found = fenceIn(line)
  return found !== undefined && quoted.fence !== undefined && closes(quoted.fence, found)
}

/** Whether a line begins another of its kind: then what is open was never closed. */
export function beginsAnother(quoted: Quoted, line: string): boolean {
  return quoted.edit ? edit.isStart(line) : (fenceIn(line)?.info ?? '') !== ''
}
