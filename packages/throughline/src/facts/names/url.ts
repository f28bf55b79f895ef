import { LONGEST_NAME, type Span } from './classify.ts'

const SCHEMES = ['https', 'http', 'ssh', 'git', 'wss', 'ws', 'file', 'ftp'] as const
const COLON = 58

/** The URL whose `//` is at `slashes`, if a known scheme precedes it. */
export function urlSpan(text: string, slashes: number): Span | undefined {
  if (text.charCodeAt(slashes - 1) !== COLON) return undefined
  const colon = slashes - 1
  const scheme = SCHEMES.find((name) => text.startsWith(name, colon - name.length))
  if (scheme === undefined) return undefined
  const start = colon - scheme.length
  let end = slashes + 2
  const last = Math.min(text.length, start + LONGEST_NAME + 1)
  while (end < last && isUrlCode(text.charCodeAt(end))) end++
  if (end - start > LONGEST_NAME) return undefined
  while (end > slashes + 2 && isSentenceEnd(text.charCodeAt(end - 1))) end--
  return end - slashes > 4 ? { start, end } : undefined
}

/** Printable ASCII without quotes, brackets, the pipe and the backslash. */
function isUrlCode(code: number): boolean {
  if (code <= 32 || code >= 127) return false
  return !'"\'`<>()[]{}|\\^$*'.includes(String.fromCharCode(code))
}

function isSentenceEnd(code: number): boolean {
  return '.,;:!?/&'.includes(String.fromCharCode(code))
}
