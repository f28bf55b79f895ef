import {
  beginsAnother,
  behind,
  endsInBreak,
  endsReply,
  isClosed,
  isOpen,
  printedLine,
  reportsTokens,
  startIn,
  typedLine,
  unquoted,
  withoutBreak,
  type Quoted,
} from './signs.ts'

/** A stretch of a transcript, by who made it. */
export type Piece =
  | { type: 'start'; at: number }
  | { type: 'typed' | 'printed' | 'reply'; text: string }

/** Cuts a transcript into its pieces, line by line. */
export interface Transcript {
  push: (line: string) => void
  end: () => void
}

interface State {
  give: (piece: Piece) => void
  /** The piece that goes on. */
  open: { type: 'typed' | 'printed' | 'reply'; lines: string[] } | undefined
  /** How many blank lines come directly before. */
  blank: number
  /** Whether aider's own lines end in two spaces here: an editor may have taken them off. */
  spaced: boolean
  /** Whether an output of several lines goes on: until one that ends in two spaces. */
  printing: boolean
  quoted: Quoted
  /** Lines in an open block that look like aider's, until it is known whose they are. */
  held: string[]
  heldLength: number
}

export function transcript(give: (piece: Piece) => void): Transcript {
  const state: State = {
    give,
    open: undefined,
    blank: 0,
    spaced: false,
    printing: false,
    quoted: unquoted,
    held: [],
    heldLength: 0,
  }
  return {
    push: (line) => (state.held.length > 0 ? hold(state, line) : take(state, line)),
    end: () => {
      release(state)
      flush(state)
    },
  }
}

function take(state: State, line: string): void {
  if (isOpen(state.quoted)) takeQuoted(state, line)
  else if (line.trim() === '') takeBlank(state)
  else if (!takeOwn(state, line)) takeReply(state, line)
}

function takeBlank(state: State): void {
  state.blank++
  if (state.printing || state.open?.type === 'reply') state.open?.lines.push('')
}

/** Whether the line is one of aider's own. */
function takeOwn(state: State, line: string): boolean {
  const at = startIn(line)
  if (at !== undefined && (state.blank > 0 || !state.open)) {
    flush(state)
    state.give({ type: 'start', at })
    return true
  }
  if (state.printing) {
    add(state, 'printed', withoutBreak(line))
    state.printing = !endsInBreak(line)
    return true
  }
  return takeTyped(state, line) || takePrinted(state, line)
}

/** A heading in a reply looks the same, except for the lines around it. */
function takeTyped(state: State, line: string): boolean {
  const words = typedLine(line)
  if (words === undefined) return false
  if (state.open?.type !== 'reply') state.spaced ||= endsInBreak(line)
  if (!mayBeTyped(state, line)) return false
  if (state.blank > 0) flush(state)
  add(state, 'typed', words)
  return true
}

/** A blank line follows a reply, and another one comes before a request. */
function mayBeTyped({ open, blank, spaced }: State, line: string): boolean {
  if (typedLine(line) === undefined || (spaced && !endsInBreak(line))) return false
  return open?.type !== 'reply' || blank >= (spaced ? 2 : 1)
}

/** A quotation in a reply looks the same, except for the lines around it. */
function takePrinted(state: State, line: string): boolean {
  const words = printedLine(line)
  const inReply = state.open?.type === 'reply'
  if (words === undefined) return goesOn(state, line)
  if (!inReply) state.spaced ||= endsInBreak(line)
  const ended = !state.spaced || endsInBreak(line)
  const begins = ended || reportsTokens(line)
  if (inReply ? state.blank === 0 || !begins : state.blank > 0 && !ended) return false
  add(state, 'printed', words)
  state.printing = !ended
  return true
}

/** There is only a blank line between what aider printed and a reply. */
function goesOn(state: State, line: string): boolean {
  if (state.blank > 0 || !state.open || state.open.type === 'reply') return false
  if (!state.spaced && !endsInBreak(line)) return false
  add(state, 'printed', withoutBreak(line))
  return true
}

function takeReply(state: State, line: string): void {
  add(state, 'reply', line)
  state.quoted = behind(state.quoted, line)
}

function takeQuoted(state: State, line: string): void {
  const sign = startIn(line) !== undefined || endsReply(line)
  if (state.blank > 0 && (sign || mayBeTyped(state, line))) return hold(state, line)
  state.blank = line.trim() === '' ? state.blank + 1 : 0
  state.open?.lines.push(line)
  state.quoted = behind(state.quoted, line)
}

// A block of code that holds a whole transcript; more is no block of code.
const mostHeld = { lines: 2000, length: 512 * 1024 }

/** Whether aider goes on here, or a block of code that quotes it, is told by how the block ends. */
function hold(state: State, line: string): void {
  const { held, quoted } = state
  if (held.length > 0 && isClosed(quoted, line)) {
    state.open?.lines.push(...held, line)
    state.held = []
    state.heldLength = 0
    state.blank = 0
    state.quoted = behind(quoted, line)
    return
  }
  const another = startIn(line) !== undefined || beginsAnother(quoted, line)
  if (held.length > 0 && another) {
    release(state)
    return take(state, line)
  }
  held.push(line)
  state.heldLength += line.length
  if (held.length > mostHeld.lines || state.heldLength > mostHeld.length) release(state)
}

/** The block was never closed: the text held back comes after the reply. */
function release(state: State): void {
  const { held } = state
  if (held.length === 0) return
  state.held = []
  state.heldLength = 0
  state.quoted = unquoted
  for (const line of held) take(state, line)
}

function add(state: State, type: 'typed' | 'printed' | 'reply', line: string): void {
  if (state.open?.type !== type) flush(state)
  state.open ??= { type, lines: [] }
  state.open.lines.push(line)
  state.blank = 0
}

function flush(state: State): void {
  const { open } = state
  state.open = undefined
  state.blank = 0
  state.printing = false
  state.quoted = unquoted
  if (open) state.give({ type: open.type, text: open.lines.join('\n').trimEnd() })
}
