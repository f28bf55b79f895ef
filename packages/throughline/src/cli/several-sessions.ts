import { basename, extname, join } from 'node:path'
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { ClosedPipeError, exitCodes, explainError, InterruptedError, UsageError } from './errors.ts'
import { sanitizeLine } from '../log/sanitize.ts'
import { safeJson } from './output/target.ts'
import { usage } from './parse-arguments.ts'
import { pathFrom } from './paths.ts'
import { counted } from './terminal/numbers.ts'
import { restOf, type ParsedArguments } from './command.ts'
import type { Io, Output } from './io.ts'

/** What stands between the outputs for two sessions. */
type Between = 'heading' | 'blank line' | 'nothing'

/** How a command treats several sessions. */
interface Several {
  /** A heading where the output does not name its session by itself. */
  between: Between
  /** The ending of the files that it writes with `-o`; without it, it has no `-o`. */
  ending?: string
}

/**
 * Runs a command for each session that its argument names, one after the other. Where one fails, an
 * error line says so, the others are done, and the exit code is not 0. With `--json`, all answers
 * are one object; with `-o`, each session has a file of its own in the directory that it names.
 * @throws UsageError if the command line is wrong for the first of them, before anything is done.
 */
export async function forEachSession(
  command: string,
  parsed: ParsedArguments,
  io: Io,
  run: (parsed: ParsedArguments, io: Io) => Promise<number>,
  { between, ending }: Several,
): Promise<number> {
  const words = restOf(parsed, 'session')
  const output = parsed.values.get('output')
  const isDirectory = ending !== undefined && output !== undefined && (await isThere(output, io))
  if (words.length < 2 && !isDirectory) return run(parsed, io)
  if (words.filter((word) => word === '-').length > 1) {
    throw usage(command, 'standard input is one session: give - once')
  }
  if (output !== undefined && output !== '-' && ending !== undefined && !isDirectory) {
    throw usage(
      command,
      `for several sessions, -o names a directory that exists, in which each has its own file, not ${JSON.stringify(sanitizeLine(output).slice(0, 60))}`,
    )
  }
  const files = isDirectory ? filesIn(output, words, { ending, cwd: io.cwd }) : undefined
  const [only] = files ?? []
  if (words.length < 2 && only !== undefined) return run(withOutput(parsed, only), io)
  const json = parsed.flags.has('json')
  const objects: unknown[] = []
  const failed: { session: string; message: string }[] = []
  let code: number = exitCodes.done
  let stopped: InterruptedError | undefined
  for (const [index, word] of words.entries()) {
    const collected: string[] = []
    const outer = json
      ? { ...io, stdout: collecting(io.stdout, collected) }
      : separated(io, index, between === 'heading' ? headingOf(word) : between)
    const file = files?.[index]
    const own = {
      ...(file === undefined ? parsed : withOutput(parsed, file)),
      arguments: new Map([...parsed.arguments, ['session', [word]]]),
    }
    try {
      if (io.signal.aborted) throw new InterruptedError('interrupted.')
      const its = await run(own, outer)
      if (its !== exitCodes.done) code = its
    } catch (error) {
      if (error instanceof ClosedPipeError) throw error
      if (error instanceof InterruptedError) {
        stopped = interrupted(error, index, words.length)
        break
      }
      if (error instanceof UsageError && index === 0) throw error
      code = exitCodes.failed
      failed.push({ session: word, message: await explained(error, word, io) })
    }
    if (collected.length > 0) objects.push(...jsonIn(collected.join('')))
  }
  if (json && (objects.length > 0 || files === undefined)) {
    await io.stdout.write(`${safeJson({ version: 1, sessions: objects, failed })}\n`)
  }
  if (stopped) throw stopped
  if (failed.length > 0) {
    const done = words.length - failed.length
    await io.stderr.write(
      `throughline: ${failed.length} of ${counted(words.length, 'session')} failed; ${done === 0 ? 'none was done' : `${done} ${done === 1 ? 'was' : 'were'} done`}.\n`,
    )
  }
  return code
}

function interrupted({ message }: InterruptedError, before: number, all: number): InterruptedError {
  const which = `session ${before + 1} of ${all}`
  return new InterruptedError(
    `${which}: ${message}${before === 0 ? '' : ' Those before it are done.'}`,
  )
}

/** Prints the error of one session, which its words may not name. */
async function explained(error: unknown, word: string, io: Io): Promise<string> {
  const lines: string[] = []
  await explainError(error, { ...io, stderr: collecting(io.stderr, lines) })
  const line = lines.join('').replace(/^throughline: /, '')
  const shown = sanitizeLine(word)
  const whole = line.includes(shown) ? line : `${shown}: ${line}`
  await io.stderr.write(`throughline: ${whole}`)
  return whole.trimEnd()
}

/** An output whose text is put together instead of printed. */
function collecting(output: Output, texts: string[]): Output {
  const write = async (text: string): Promise<void> => void texts.push(text)
  return {
    ...output,
    isTerminal: false,
    write,
    async page(text, head) {
      await head?.to.write(head.text)
      await write(text)
    },
  }
}

function jsonIn(text: string): unknown[] {
  return text.trim() === '' ? [] : [JSON.parse(text)]
}

function headingOf(word: string): { heading: string } {
  return { heading: `==> ${word === '-' ? 'standard input' : sanitizeLine(word)} <==\n` }
}

/** Outputs that begin with what separates them from those of the session before. */
function separated(
  io: Io,
  index: number,
  between: { heading: string } | 'blank line' | 'nothing',
): Io {
  if (between === 'nothing') return io
  const blank = index === 0 ? '' : '\n'
  const mark = between === 'blank line' ? blank : `${blank}${between.heading}`
  // A terminal that shows both shows it once.
  const shared = { due: true }
  const ofErrors = io.stdout.isTerminal && io.stderr.isTerminal ? shared : { due: true }
  // What names its session by itself says nothing on standard error that would need it.
  const stderr = between === 'blank line' ? io.stderr : beginning(io.stderr, mark, ofErrors)
  return { ...io, stdout: beginning(io.stdout, mark, shared), stderr }
}

function beginning(output: Output, mark: string, state: { due: boolean }): Output {
  const begin = (text: string): string => {
    // A line that is redrawn in place, and removed, is not output.
    if (!state.due || text.startsWith('\r')) return ''
    state.due = false
    return mark
  }
  const write = (text: string): Promise<void> => output.write(`${begin(text)}${text}`)
  return {
    ...output,
    write,
    async page(text, head) {
      if (!output.isTerminal) {
        await head?.to.write(head.text)
        return write(text)
      }
      if (!head) return output.page(`${begin(text)}${text}`)
      return output.page(text, { text: `${begin(text)}${head.text}`, to: head.to })
    },
  }
}

async function isThere(directory: string, { cwd }: Io): Promise<boolean> {
  const found = await stat(pathFrom(cwd, directory)).catch(() => undefined)
  return found?.isDirectory() === true
}

function withOutput(parsed: ParsedArguments, file: string): ParsedArguments {
  return { ...parsed, values: new Map([...parsed.values, ['output', file]]) }
}

/**
 * A file in a directory for each session, by its name, with a number where there is such a file:
 * nobody named it, so nobody wants it overwritten.
 */
function filesIn(
  directory: string,
  words: readonly string[],
  { ending, cwd }: { ending: string; cwd: string },
): string[] {
  const taken = new Set<string>()
  return words.map((word) => {
    const name = fileNameOf(word)
    for (let number = 1; ; number++) {
      const file = join(directory, `${name}${number === 1 ? '' : `-${number}`}${ending}`)
      const path = pathFrom(cwd, file)
      if (taken.has(path) || existsSync(path)) continue
      taken.add(path)
      return file
    }
  })
}

/** `claude:latest` as `claude-latest`: no name leaves its directory or hides in it. */
function fileNameOf(word: string): string {
  if (word === '-') return 'stdin'
  const base = basename(word, extname(word))
  return base.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '') || 'session'
}
