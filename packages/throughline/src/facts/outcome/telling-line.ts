/** How much of the start and the end of an output is searched for the most informative line. */
const WINDOW = 32_768
const LONGEST_LINE = 240
/** How many lines a message given all at once may have. */
const SHORT_MESSAGE = 6
/** How many lines of one output are worth keeping as errors. */
const MOST_ERRORS = 3

/**
 * What an error looks like, from the surest sign to the weakest. Each pattern is linear and is
 * tried on single lines of limited length.
 */
const ERRORS: readonly RegExp[] = [
  /\berror(?: ?\[?[A-Z]{1,4}\d{2,6}\]?)\b|^error(?:\[E\d+\])?: |^[\w.]*(?:Error|Exception)(?: \[\w+\])?: |^E {3}\S/,
  /^\s*(?:--- )?FAIL[: ]|^FAILED |^not ok |✗|✘|^\s*× |^panic: |^Traceback |^fatal: |AssertionError|^\[ERROR\]/,
  /:\d+(?::\d+)?: (?:fatal )?(?:error|undefined|cannot|expected|syntax|missing|unknown|invalid|declared)\b/i,
  /:\d+:\d+: |\(\d+,\d+\): |^CONFLICT |! \[rejected\]|command not found|No such file or directory|Permission denied|is not recognized/,
  /\b(?:error|failed|failure|exception|refused|denied|cannot|could not|unable to)\b/i,
]
/** Success doesn't say anything about what failed. */
const PASSED = /^(?:--- PASS|=== |ok\s|PASS\b|✓|√|\? {3})/
/** Lines that only say that there was something. */
const EMPTY_ERRORS =
  /^(?:FAIL|FAILED|ERROR|Error|error)[:.]?$|^hint: |^rm: .*No such file|^FAIL\s+\S+(?:\s+\[build failed\]|\s+[\d.]+s)?$|task failed|ELIFECYCLE|npm (?:ERR!|error)|exit(?:ed with)? (?:code|status) \d|\b0 (?:errors|failed|failures)\b|^Error: Process completed|Command failed with exit|0 fail|^\d+ (?:tests?|specs?) failed\.?$|^\[\d+:\d{4}\/\d{6}[^\]]{0,40}:ERROR:/i

/** The totals of test runners, linters and builds. */
const TOTALS: readonly RegExp[] = [
  /^\s*Tests?:?\s+.*\b\d+ (?:passed|failed)|\b\d+ (?:passed|failed|passing|failing)\b|^test result: /i,
  /^(?:Ran|Found|Checked|Executed) \d+ |^OK \(\d+|^\s*\d+ problems?\b|\b\d+ errors?\b|\b\d+ examples?, /i,
  /^BUILD (?:SUCCESS|FAIL)|✓ built in|compiled successfully|^Finished |^Success: |no issues found|^All checks passed/i,
]
/** Reports of commands that change something. */
const RESULTS: readonly RegExp[] = [
  /^\[[^\]\n]{1,120} [0-9a-f]{7,40}\] /,
  /^ ?[*+ ]? ?(?:[0-9a-f]{7,40}\.\.\.?[0-9a-f]{7,40}|\[new (?:branch|tag)\]) +\S+ -> \S+/,
  /^https:\/\/\S+\/(?:pull|issues|merge_requests|releases)\/\S+/,
  /^(?:added|removed|changed|updated) \d+ packages?|^Successfully \w+/,
]

/** The line of a failed output that says most about what went wrong. */
export function errorLine(output: string): string | undefined {
  return errorLines(output)[0] ?? endLine(output)
}

/** The lines of an output that report errors, the surest first. */
export function errorLines(output: string): string[] {
  const found: { line: string; rank: number }[] = []
  let open: { line: string; rank: number } | undefined
  for (const line of windowLines(output)) {
    if (open !== undefined && mayFollow(line, open.line)) {
      open.line = `${open.line} ${line.replaceAll(/\s+/g, ' ')}`
      if (open.line.length > LONGEST_WITH_MORE / 2) open = undefined
      continue
    }
    open = undefined
    const rank = ERRORS.findIndex((sign) => sign.test(line))
    if (rank < 0 || EMPTY_ERRORS.test(line) || isPraise(line)) continue
    if (found.some((other) => other.line === line)) continue
    const error = { line, rank }
    found.push(error)
    if (line.endsWith(':')) open = error
    if (found.length > 200) break
  }
  return found
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, MOST_ERRORS)
    .map(({ line }) => line)
}

/** An error that ends with a colon continues in the lines after it, up to this length. */
const LONGEST_WITH_MORE = 200

/** A frame of a stack, the next error and the next test say nothing more of it. */
function mayFollow(line: string, before: string): boolean {
  return (
    before.length + line.length < LONGEST_WITH_MORE &&
    !/^(?:at |Error Trace|--- |=== |PASS|FAIL|ok\s|\d+\) )/.test(line) &&
    ERRORS.slice(0, 2).every((sign) => !sign.test(line))
  )
}

/**
 * The line that says how many tests passed, or what was done; for a check, the former is preferred.
 */
export function resultLine(output: string, check: boolean): string | undefined {
  const lines = [...windowLines(output)]
  for (const sign of check ? [...TOTALS, ...RESULTS] : RESULTS) {
    const line = lines.findLast((text) => sign.test(text) && !text.startsWith('error'))
    if (line !== undefined) return line
  }
  return undefined
}

/** Signs that a check failed although the exit code doesn't say so, as after a pipe. */
const FAILED =
  /^FAIL\b|^--- FAIL:|\berror TS\d+:|^npm (?:ERR!|error) |ELIFECYCLE|\b[1-9]\d* (?:failed|failing)\b|^error(?:\[E\d+\])?: |^BUILD FAILED|^FAILED\b|^Traceback \(|task failed|^[1-9]\d* errors?\b/

export function showsFailure(output: string): boolean {
  for (const line of windowLines(output)) if (FAILED.test(line)) return true
  return false
}

/** `0 errors` and `no error` are not errors. */
function isPraise(line: string): boolean {
  return /\b(?:no|0) (?:errors?|failures?|warnings?)\b/i.test(line)
}

/** If nothing looks like an error: the first line of a message, the last one of a report. */
function endLine(output: string): string | undefined {
  const lines = [...windowLines(output)].filter(
    (line) => /[\p{L}\p{N}]/u.test(line) && !PASSED.test(line),
  )
  const telling = lines.filter((line) => !EMPTY_ERRORS.test(line))
  const short = lines.length <= SHORT_MESSAGE
  return (short ? telling[0] : telling.at(-1)) ?? lines.at(-1)
}

/** The first informative line of a message that a tool returned instead of working. */
export function firstLine(output: string): string | undefined {
  let empty: string | undefined
  for (const line of windowLines(output)) {
    if (!/[\p{L}\p{N}]/u.test(line)) continue
    if (!EMPTY_ERRORS.test(line)) return line
    empty ??= line
  }
  return empty
}

function* windowLines(output: string): Generator<string> {
  if (output.length <= 2 * WINDOW) yield* linesIn(output)
  else {
    yield* linesIn(output.slice(0, WINDOW))
    yield* linesIn(output.slice(-WINDOW))
  }
}

function* linesIn(text: string): Generator<string> {
  let start = 0
  while (start < text.length) {
    const newLine = text.indexOf('\n', start)
    const end = newLine < 0 ? text.length : newLine
    const line = shown(text.slice(start, end)).trimEnd()
    if (line.trim() !== '') yield line.replace(/^\s*(?:\| )?/, '')
    start = end + 1
  }
}

/** A line as a terminal shows it in the end: what was written over is not there any more. */
function shown(line: string): string {
  const end = line.endsWith('\r') ? line.length - 1 : line.length
  const from = line.lastIndexOf('\r', end - 1) + 1
  const left = line.includes('\b', from)
    ? written(line.slice(from, end))
    : line.slice(from, Math.min(end, from + LONGEST_LINE))
  return left.includes('\u001b') ? left.replace(SEQUENCES, '') : left
}

/** What is left of a line with backspaces in it. */
function written(line: string): string {
  const left: string[] = []
  let at = 0
  for (const character of line) {
    if (character === '\b') at = Math.max(at - 1, 0)
    else left[at++] = character
  }
  return left.join('').slice(0, LONGEST_LINE)
}

/** Colours, links and moves of the cursor. */
const SEQUENCES =
  /\u001b(?:\[[0-9;?]{0,40}[@-~]|\][^\u0007\u001b]{0,400}(?:\u0007|\u001b\\)|[()][0-9A-B]|[=>78DEHMc])/g
