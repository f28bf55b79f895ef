import { basename, extname, join } from 'node:path'
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { ClosedPipeError, exitCodes, errorText, InterruptedError, UsageError } from './errors.ts'
import { sanitizeLine } from '../log/sanitize.ts'
import { safeJson } from './output/target.ts'
import { usage } from './parse-arguments.ts'
import { pathFrom } from './paths.ts'
import { counted } from './terminal/numbers.ts'
import { restOf, type ParsedArguments } from './command.ts'
import type { Io, Output } from './io.ts'

/** What separates the outputs for two sessions. */
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
      : separated(io, index, word, between)
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

/** Prints the error of one session, with its name. */
async function explained(error: unknown, word: string, io: Io): Promise<string> {
  const line = errorText(error, io.env)
  const shown = sanitizeLine(word)
  const whole = line.includes(shown) ? line : `${shown}: ${line}`
  await io.stderr.write(`throughline: ${whole}\n`)
  return whole
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

/** Outputs that begin with what separates them from those of the session before. */
function separated(io: Io, index: number, word: string, between: Between): Io {
  if (between === 'nothing') return io
  const blank = index === 0 ? '' : '\n'
  const name = word === '-' ? 'standard input' : sanitizeLine(word)
  const mark = between === 'heading' ? `${blank}==> ${name} <==\n` : blank
  const shared = once(mark)
  // Where the output names its session, standard error says nothing that needs a heading.
  if (between === 'blank line') return { ...io, stdout: marked(io.stdout, shared) }
  // A terminal that shows both shows the heading once.
  const isShared = io.stdout.isTerminal && io.stderr.isTerminal
  const stderr = marked(io.stderr, isShared ? shared : once(mark))
  return { ...io, stdout: marked(io.stdout, shared), stderr }
}

/** The mark when it is asked for first, and then nothing. */
function once(mark: string): () => string {
  let next = mark
  return () => {
    const now = next
    next = ''
    return now
  }
}

/** An output that puts a mark before its first text. */
function marked(output: Output, mark: () => string): Output {
  // A line that is redrawn in place, and removed, is not output.
  const write = (text: string): Promise<void> =>
    output.write(text.startsWith('\r') ? text : mark() + text)
  return {
    ...output,
    write,
    async page(text, head) {
      if (output.isTerminal && head) return output.page(text, { ...head, text: mark() + head.text })
      if (output.isTerminal) return output.page(mark() + text)
      await head?.to.write(head.text)
      await write(text)
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
 * A file in a directory for each session, by its name, with a number if there is such a file: no
 * existing file is overwritten.
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
