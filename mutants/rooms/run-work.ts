import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../root.ts'
import type { Coverage, Line, Work } from './work.ts'

const vitest = join(root, 'node_modules/vitest/vitest.mjs')

/** Runs the tests without any mutant. */
export async function cover(work: Work, file: string): Promise<Coverage> {
  writeFileSync(file, JSON.stringify(work))
  const child = start(file)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  await once(child, 'close')
  if (!existsSync(work.coverage)) throw new Error(`The tests do not run:\n${readable(output)}`)
  return JSON.parse(readFileSync(work.coverage, 'utf8')) as Coverage
}

/** What became of each mutant. */
export type Verdicts = Map<string, 'Killed' | 'Survived' | 'Timeout'>

// Milliseconds without a word, beyond what the tests of a mutant may take: it hangs.
const stall = 60_000

/** Tries the mutants of the work, in as many processes as they ruin. */
export async function tryMutants(
  work: Work,
  file: string,
  onTried: (tried: number) => void,
): Promise<Verdicts> {
  writeFileSync(file, JSON.stringify(work))
  if (!existsSync(work.results)) writeFileSync(work.results, '')
  for (;;) {
    const before = linesOf(work).length
    await untilItStops(start(file), work, onTried)
    const lines = linesOf(work)
    const last = lines.at(-1)
    if (last && 'finished' in last) return verdictsIn(lines)
    // It was killed at its work, or died of it: what ends no more is caught.
    if (last && 'begun' in last) {
      appendFileSync(work.results, `${JSON.stringify({ id: last.begun, status: 'Timeout' })}\n`)
    } else if (lines.length === before) {
      throw new Error('The tests do not run any more. Run them with `npx vitest run`.')
    }
  }
}

/** Without the lines of code around an error, which are endless where mutants are built in. */
function readable(output: string): string {
  const lines = output.split('\n').filter((line) => line.length < 500)
  return lines.join('\n').slice(0, 3_000)
}

function start(file: string): ChildProcess {
  return spawn(
    process.execPath,
    [vitest, 'run', '--config', 'mutants/rooms/vitest.config.ts', '--reporter=dot'],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env: { ...process.env, NO_COLOR: '1', THROUGHLINE_MUTANTS: file },
    },
  )
}

async function untilItStops(
  child: ChildProcess,
  work: Work,
  onTried: (tried: number) => void,
): Promise<void> {
  child.stdout?.resume()
  child.stderr?.resume()
  const before = linesOf(work).length
  let size = -1
  let since = Date.now()
  const watch = setInterval(() => {
    const lines = linesOf(work)
    const last = lines.at(-1)
    if (lines.length !== size) {
      size = lines.length
      since = Date.now()
      onTried(lines.filter((line) => 'status' in line).length)
    }
    const done = size > before && last && ('finished' in last || 'again' in last)
    const late = Date.now() - since > stall + work.patience * 4
    // Its workers run in processes of its own group.
    if (late || (done && Date.now() - since > 3_000)) end(child)
  }, 1_000)
  await once(child, 'close')
  clearInterval(watch)
}

function end({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

function linesOf({ results }: Work): Line[] {
  const text = readFileSync(results, 'utf8')
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  return whole
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line)
}

function verdictsIn(lines: readonly Line[]): Verdicts {
  return new Map(lines.flatMap((line) => ('status' in line ? [[line.id, line.status]] : [])))
}
