/** Where a truncated document can be ended, and how. */
export interface CutOff {
  /** The position after the last whole item. */
  end: number
  /** The text that closes everything open at that point. */
  closing: string
  /** The line of it, counted from 1. */
  line: number
}

const quote = 34
const backslash = 92
const newline = 10

/**
 * Finds the last whole item of the outermost list that a JSON text leaves open, in one pass;
 * `undefined` if the text leaves no list open, or has no whole item in it.
 */
export function cutOffAt(text: string): CutOff | undefined {
  let depth = 0
  let inString = false
  let line = 1
  /** The depth of the outermost open list; 0 if none is open. */
  let list = 0
  let end = 0
  let endLine = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === newline) line++
    if (inString) {
      if (code === backslash) index++
      else if (code === quote) inString = false
    } else if (code === quote) inString = true
    else if (code === open.object) depth++
    else if (code === open.list) {
      depth++
      if (list === 0) list = depth
    } else if (code === close.object || code === close.list) {
      depth--
      if (list > 0 && depth === list) {
        end = index + 1
        endLine = line
      } else if (depth < list) {
        list = 0
        end = 0
      }
    }
  }
  return end > 0 ? { end, closing: `]${'}'.repeat(list - 1)}`, line: endLine } : undefined
}

const open = { object: 123, list: 91 }
const close = { object: 125, list: 93 }
