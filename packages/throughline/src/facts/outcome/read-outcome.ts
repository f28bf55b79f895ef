import { abortedResult } from '../../log/open-calls.ts'

/** How harnesses begin the result of a call that the human or one of their rules refused. */
const DENIALS = [
  "The user doesn't want to",
  'The user does not want to',
  '[Request interrupted by user',
  '[Operation Cancelled]',
  'Operation cancelled',
  'exec command rejected by user',
  'patch rejected by user',
  'Tool call was rejected',
  'The user rejected',
  'The user has denied',
  'User rejected',
  'User denied',
  'Permission to use',
  'Permission denied and could not request',
  'aborted by user',
  'Command aborted',
  'Tool execution was interrupted',
  'Tool execution aborted',
  '<tool_use_error>Sibling tool call errored',
  '<tool_use_error>Cancelled',
  'The call was denied',
  abortedResult,
] as const

/** The call never completed: it has no effect, and nothing failed. */
export function isDenied(output: string): boolean {
  const start = output.slice(0, 80).trimStart()
  return DENIALS.some((denial) => start.startsWith(denial))
}

/** What a harness adds to a command's output, separated from the output. */
export interface Outcome {
  /** What the command itself printed. */
  body: string
  exitCode?: number
  /** It keeps running under this name. */
  session?: string
  running?: true
  /** The shell's directory afterwards. */
  directory?: string
}

/** Harnesses add it in the first or the last lines; everything between is output. */
const HEAD = 1_200
const TAIL = 400

/**
 * Reads exit code, session and directory in the forms of Codex, Claude Code, Copilot CLI, Gemini
 * CLI, OpenHands, pi and SWE-agent. Only the ends are examined, so that a printed file can't pass
 * for an outcome.
 */
export function readOutcome(output: string): Outcome {
  return jsonOutcome(output) ?? codexOutcome(output) ?? plainOutcome(output)
}

/** `{"output":"…","metadata":{"exit_code":0}}`: Codex, apply_patch and old shells. */
function jsonOutcome(output: string): Outcome | undefined {
  if (!output.startsWith('{"output":')) return undefined
  try {
    const { output: body, metadata } = JSON.parse(output) as {
      output?: unknown
      metadata?: { exit_code?: unknown }
    }
    const exitCode = metadata?.exit_code
    return {
      body: typeof body === 'string' ? body : '',
      ...(typeof exitCode === 'number' && { exitCode }),
    }
  } catch {
    return undefined
  }
}

const CODEX_LINE =
  /^(Command|Chunk ID|Wall time|Process exited with code|Process running with session ID|Exit code|Original token count|Total output lines|Output|Script completed|Script running)\b/

function codexOutcome(output: string): Outcome | undefined {
  if (!CODEX_LINE.test(output.slice(0, 64)) || output.startsWith('Output: ')) return undefined
  const found: Outcome = { body: '' }
  let at = 0
  for (let line = 0; line < 16 && at < output.length; line++) {
    const newLine = output.indexOf('\n', at)
    const end = newLine < 0 ? output.length : newLine
    const text = output.slice(at, Math.min(end, at + 200))
    if (line > 0 && !CODEX_LINE.test(text) && !output.startsWith('Command:')) return undefined
    at = end + 1
    const exit = /^(?:Process exited with code|Exit code:) (-?\d{1,5})/.exec(text)
    if (exit) found.exitCode = Number(exit[1])
    const session =
      /^(?:Process running with session ID|Script running with cell ID) (\S{1,80})/.exec(text)
    if (session?.[1] !== undefined) {
      found.session = session[1]
      found.running = true
    }
    if (text === 'Output:') {
      found.body = output.slice(at)
      return found
    }
  }
  return undefined
}

const FIRST_LINE = /^(?:Error: )?Exit code:? (-?\d{1,5})\n/
const LAST_LINES: readonly RegExp[] = [
  /(?:^|\n)Command exited with code (-?\d{1,5})\s*$/,
  /(?:^|\n)<(?:shellId: \S{1,40} (?:completed|exited)|exited) with exit code (-?\d{1,5})>\s*$/,
  /\[The command completed with exit code (-?\d{1,5})\.\]/,
  /(?:^|\n)\[Command finished with exit code (-?\d{1,5})\]/,
  /(?:^|\n)Exit Code: (-?\d{1,5})(?:\n|$)/,
  /(?:^|\n)exit_code[:=] ?(-?\d{1,5})\s*$/,
]

function plainOutcome(output: string): Outcome {
  const head = output.slice(0, HEAD)
  const tail = output.slice(-TAIL)
  const found: Outcome = { body: output }
  const first = FIRST_LINE.exec(head)
  if (first) {
    found.exitCode = Number(first[1])
    found.body = output.slice(first[0].length)
  }
  for (const form of found.exitCode === undefined ? LAST_LINES : []) {
    const last = form.exec(tail)
    if (!last) continue
    found.exitCode = Number(last[1])
    found.body = output.slice(0, output.length - tail.length + last.index)
    break
  }
  readBackground(head, tail, found)
  readPrompt(tail, found)
  return found
}

/** SWE-agent adds its prompt below each output: the open file, and the shell's directory. */
function readPrompt(tail: string, found: Outcome): void {
  const prompt =
    /(?:^|\n)\(Open file: [^\n]{1,200}\)\n\(Current directory: ([^\n]{1,200})\)\nbash-\$\s*$/.exec(
      tail,
    )
  if (prompt?.[1] === undefined) return
  found.directory = prompt[1]
  found.body = found.body.slice(0, found.body.length - tail.length + prompt.index)
}

/** Claude Code's background tasks, and the directories of its and OpenHands's shells. */
function readBackground(head: string, tail: string, found: Outcome): void {
  const status = /<status>(running|completed|failed|killed)<\/status>/.exec(head)
  const exit = /<exit_code>(-?\d{1,5})<\/exit_code>/.exec(head)
  if (status?.[1] === 'running') found.running = true
  if (exit && found.exitCode === undefined) found.exitCode = Number(exit[1])
  const started =
    /^Command (?:running in background|was manually backgrounded by user) with ID: ([\w-]{1,80})/.exec(
      head,
    )
  const copilot =
    /<command started in (?:background|detached|async)[^>]{0,40}shellId: ([\w-]{1,40})/.exec(tail)
  const session = started?.[1] ?? copilot?.[1]
  if (session !== undefined) {
    found.session = session
    found.running = true
  }
  const directory =
    /\[Current working directory: ([^\]\n]{1,400})\]/.exec(tail) ??
    /(?:^|\n)Shell cwd was reset to ([^\n]{1,400})\s*$/.exec(tail)
  if (directory?.[1] !== undefined) found.directory = directory[1]
}
