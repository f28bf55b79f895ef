/** Where a document that is cut off can be ended, and how. */
export interface CutOff {
  /** Behind the last whole item. */
  end: number
  /** What closes all that is open there. */
  closing: string
  /** The line of it, counted from 1. */
  line: number
}

const quote = 34
const backslash = 92
const newline = 10

/**
 * Finds the last whole item of the outermost list that a JSON text leaves open, in one
 * pass; `undefined` if the text leaves no list open, or no whole item stands in it.
 */
export function cutOffAt(text: string): CutOff | undefined {
  let depth = 0
  let inString = false
  let line = 1
  /** How deep the outermost open list lies; 0 if none is open. */
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
