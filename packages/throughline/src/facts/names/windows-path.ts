import { ALPHANUMERIC, classAt } from './character-classes.ts'
import { LONGEST_NAME } from './classify.ts'

const BACKSLASH = 92
const SLASH_CODE = 47

/**
 * The end of the path `C:\a\b` or `C:/a/b` whose drive letter is at `drive`, or 0. Backslashes may
 * be doubled, as in JSON. A name that is too long doesn't count.
 */
export function windowsPathEnd(text: string, drive: number): number {
  const separator = text.charCodeAt(drive + 2)
  if (separator !== BACKSLASH && separator !== SLASH_CODE) return 0
  if (separator === SLASH_CODE && text.charCodeAt(drive + 3) === SLASH_CODE) return 0
  const last = Math.min(text.length, drive + LONGEST_NAME + 1)
  let end = drive + 2
  let segments = 0
  while (end < last) {
    const code = text.charCodeAt(end)
    if (code === BACKSLASH) segments++
    else if (classAt(text, end) === 0) break
    end++
  }
  if (end === last && end < text.length) return 0
  while (end > drive + 3 && (classAt(text, end - 1) & ALPHANUMERIC) === 0) end--
  return end - drive >= 8 && (segments > 0 || separator === SLASH_CODE) ? end : 0
}
