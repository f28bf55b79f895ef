import { attributeName } from '../render/summary-block.ts'
import type { Ref, Replacement } from '../../log/entry.ts'
import type { Counter } from '../../tokens/counter.ts'
import type { EstimatedTokens } from '../../tokens/units.ts'

const errorLine = /(?:errors?|exception|failed|failure|panic|fatal|traceback|denied)\b/i

// A longer line says no more about an error than its beginning does.
const longestErrorLine = 300

/**
 * Clips a text to at most `budget` tokens, in the unit of `count`: its head, its tail, and of
 * what lies between the lines that speak of errors. `note` tells what is missing and where it can
 * be read. A text that fits is returned unchanged.
 */
export function clipText<T extends number>(
  text: string,
  { budget, count, note }: { budget: NoInfer<T>; count: (text: string) => T; note: string },
): string {
  const tokens = count(text)
  if (tokens <= budget) return text
  let characters = Math.floor((text.length * budget) / tokens)
  for (let attempt = 0; attempt < 8 && characters > 0; attempt++) {
    const clipped = clipCharacters(text, characters, note)
    const excess = count(clipped) / Math.max(budget, 1)
    if (excess <= 1) return clipped
    characters = Math.floor(characters / Math.max(excess, 1.1)) - 8
  }
  return note
}

// Around the note, and what they become in JSON.
const newLines = 4

function clipCharacters(text: string, characters: number, note: string): string {
  const room = Math.max(characters - note.length - newLines, 0)
  const most = Math.floor(room * 0.2)
  const found = sizeOf(errorLines(middleOf(text, Math.floor(room * 0.4)), most))
  // What speaks of no error leaves its room to both ends.
  const end = Math.floor((room - Math.min(found, most)) / 2)
  const errors = errorLines(middleOf(text, end), found)
  return [
    text.slice(0, safeEnd(text, end)),
    note,
    ...errors,
    text.slice(safeStart(text, text.length - end)),
  ]
    .filter((piece) => piece !== '')
    .join('\n')
}

/** The text without as many characters at both ends. */
function middleOf(text: string, end: number): string {
  return text.slice(safeEnd(text, end), safeStart(text, text.length - end))
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0)
}

function errorLines(text: string, room: number): string[] {
  const lines: string[] = []
  let start = 0
  let left = room
  while (start < text.length && left > 0) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    const line = text.slice(start, Math.min(end, start + longestErrorLine))
    if (line.length <= left && errorLine.test(line)) {
      lines.push(line)
      left -= line.length + 1
    }
    start = end + 1
  }
  return lines
}

/** Replacements that clip each text of more than `cap` tokens to as many, where that saves any. */
export function clipLonger(
  texts: readonly { ref: Ref; text: string; tokens: EstimatedTokens }[],
  cap: EstimatedTokens,
  { counter, recallTool }: Clipping,
): Replacement[] {
  return texts
    .filter(({ tokens }) => tokens > cap)
    .flatMap(({ ref, text, tokens }): Replacement[] => {
      const note = clipNote(ref, recallTool)
      const clipped = clipText(text, { budget: cap, count: counter.text, note })
      return counter.text(clipped) < tokens ? [{ how: 'clipped', ref, text: clipped }] : []
    })
}

/** Moves a cut out of the middle of a surrogate pair, and to the end of a line if one is near. */
export function safeEnd(text: string, end: number): number {
  const newline = text.lastIndexOf('\n', end)
  if (newline > end * 0.8) return newline
  return isLowSurrogate(text, end) ? end - 1 : end
}

function safeStart(text: string, start: number): number {
  const newline = text.indexOf('\n', start)
  if (newline !== -1 && newline - start < (text.length - start) * 0.2) return newline + 1
  return isLowSurrogate(text, start) ? start + 1 : start
}

function isLowSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code >= 0xdc00 && code <= 0xdfff
}

/** How clipped text is counted, and how the model can read the whole of it. */
export interface Clipping {
  counter: Counter
  /** The model's name for the recall tool, if it has one. */
  recallTool?: string | undefined
}

/** The note inside a clipped text: something is missing, and this is how to read it. */
export function clipNote(ref: Ref, recallTool?: string): string {
  const reader = recallTool === undefined ? '' : `, read it with ${attributeName(recallTool)}`
  return `[… left out here; the whole is ref ${ref}${reader} …]`
}
