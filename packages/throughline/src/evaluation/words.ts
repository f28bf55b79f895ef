/**
 * The words that an agent must spell correctly to continue: paths and identifiers, exactly as the
 * fidelity reference defines them. The bench has its own scanner, so that it can judge any
 * compactor, including ours.
 */

const shortest = 8
const longest = 300

/** The whole words of a text, without outer punctuation, with paths made relative. */
export function wordsOf(text: string, directories: readonly string[] = []): Set<string> {
  const words = new Set<string>()
  for (const run of runsOf(text)) {
    const word = normalise(run, directories)
    if (word.length >= shortest && word.length <= longest) words.add(word)
  }
  return words
}

/**
 * Runs of what words consist of. Not a regular expression: it keeps a place to return to for every
 * character of a run, which is megabytes for a run of a million.
 */
function* runsOf(text: string): Generator<string> {
  let start = 0
  for (let end = 0; end <= text.length; end++) {
    if (end < text.length && isWithinWord(text.charCodeAt(end))) continue
    if (end - start >= shortest) yield text.slice(start, end)
    start = end + 1
  }
}

/** The paths and identifiers among the words of a text. */
export function namesOf(text: string, directories: readonly string[] = []): Set<string> {
  const names = new Set<string>()
  for (const word of wordsOf(text, directories)) if (isName(word)) names.add(word)
  return names
}

function isName(word: string): boolean {
  return isPath(word) || isIdentifier(word)
}

/** Two or more segments, at least one of them with a letter. */
export function isPath(word: string): boolean {
  return word.includes('/') && /[A-Za-z]/.test(word)
}

/**
 * An inner `_`, a dotted name, two or more humps, or hex of 8 to 40 digits with both letters and
 * digits. Words with only hyphens are English.
 */
export function isIdentifier(word: string): boolean {
  if (word.includes('/')) return false
  return (
    /[A-Za-z0-9]_+[A-Za-z0-9]/.test(word) ||
    isDotted(word) ||
    /[a-z0-9][A-Z]/.test(word) ||
    isHex(word)
  )
}

function isDotted(word: string): boolean {
  const parts = word.split('.')
  return parts.length > 1 && parts.every((part) => /^[A-Za-z_]/.test(part))
}

function isHex(word: string): boolean {
  return /^[0-9a-f]{8,40}$/i.test(word) && /[0-9]/.test(word) && /[a-f]/i.test(word)
}

function normalise(run: string, directories: readonly string[]): string {
  const absolute = run.startsWith('/') ? `/${run.replace(/^\/+/, '')}` : run
  const directory = directories.find((candidate) => absolute.startsWith(`${candidate}/`))
  return strip(directory === undefined ? absolute : absolute.slice(directory.length + 1))
}

function strip(word: string): string {
  let start = 0
  let end = word.length
  while (start < end && !isAlphanumeric(word.charCodeAt(start))) start++
  while (end > start && !isAlphanumeric(word.charCodeAt(end - 1))) end--
  return word.slice(start, end)
}

const joining = new Set(['_', '.', '@', '~', '/', '-'].map((sign) => sign.charCodeAt(0)))

function isWithinWord(code: number): boolean {
  return isAlphanumeric(code) || joining.has(code)
}

function isAlphanumeric(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
}

const windows = /^[A-Za-z]:\//
const windowsWithin = /\b[A-Za-z]:\\[\w.]/

/** A Windows session names paths with backslashes; summaries name them with slashes. */
export function withSlashes(text: string, directories: readonly string[]): string {
  const onWindows = directories.some((path) => windows.test(path)) || windowsWithin.test(text)
  return onWindows ? text.replaceAll('\\', '/') : text
}
