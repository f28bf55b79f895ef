import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spreadOf, type Spread } from './spread.ts'
import { tell } from './tell.ts'

const root = join(import.meta.dirname, '../..')
const preload = join(root, 'bench/start/report-usage.cjs')
const bin = join(root, 'packages/throughline/bin/throughline.js')
const hook = join(root, 'packages/throughline/dist/clients/claude-code.js')
const sample = join(root, 'examples/sample-session.jsonl')
const sessions = 2_000

/** A program in a process of its own, with a home that holds nothing but what it is given. */
interface Program {
  argv: readonly string[]
  input?: string
}

const parse = `require('fs').readFileSync(${JSON.stringify(sample)}, 'utf8').trim().split('\\n').map(JSON.parse)`
const parseAlone: Program = { argv: ['-e', parse] }
const bare: Program = { argv: ['-e', ''] }
const overMany = [
  { argv: ['list'], lines: Infinity },
  // The first search reads all of them, which takes minutes where they are long.
  { argv: ['search', 'feature value'], lines: 20 },
]

/**
 * What a person or a client waits for: processes that begin, do one thing and end. Processor time
 * of all threads, each beside a bare process in the same round.
 */
export async function benchCommand(rounds = 5): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'throughline-bench-command-'))
  try {
    const projects = join(home, '.claude/projects/-bench')
    mkdirSync(projects, { recursive: true })
    const first = join(projects, `${idOf(0)}.jsonl`)
    copyFileSync(sample, first)
    const compact: Program = { argv: [bin, 'compact', sample] }
    const asked: Program = {
      argv: [hook],
      input: JSON.stringify({
        hook_event_name: 'PreCompact',
        trigger: 'auto',
        session_id: idOf(0),
        transcript_path: first,
        cwd: home,
      }),
    }
    // As `install` writes it, the program keeps its compiled code beside it.
    const cache = { NODE_COMPILE_CACHE: join(home, 'compiled') }
    took(asked, home, cache)
    took(compact, home)
    beside({
      what: 'throughline compact FILE of the sample session (715 kB)',
      most: 450,
      ours: () => took(compact, home),
      theirs: () => took(parseAlone, home),
      limit: 'node -e JSON.parse of each line of the file',
      rounds,
    })
    beside({
      what: 'a hook of Claude Code, from its start to its answer',
      most: 300,
      ours: () => took(asked, home, cache),
      theirs: () => took(parseAlone, home),
      limit: 'node -e JSON.parse of each line of the session',
      rounds,
    })
    for (const { argv, lines } of overMany) againOverMany(argv, lines, rounds)
  } finally {
    rmSync(home, { recursive: true })
  }
}

/** What a command takes over many sessions of the first so many lines of the sample. */
function againOverMany(argv: readonly string[], lines: number, rounds: number): void {
  const home = mkdtempSync(join(tmpdir(), 'throughline-bench-sessions-'))
  try {
    const projects = join(home, '.claude/projects/-bench')
    mkdirSync(projects, { recursive: true })
    const first = join(projects, `${idOf(0)}.jsonl`)
    const text = `${readFileSync(sample, 'utf8').split('\n').slice(0, lines).join('\n')}\n`
    writeFileSync(first, text)
    // One file under many names: each is a session of its own.
    for (let number = 1; number < sessions; number++) {
      linkSync(first, join(projects, `${idOf(number)}.jsonl`))
    }
    const size = `${sessions.toLocaleString('en')} sessions of ${Math.round(text.length / 1_000)} kB`
    const again: Program = { argv: [bin, ...argv] }
    const before = took(again, home)
    beside({
      what: `throughline ${argv[0]} over ${size}, again`,
      most: 150,
      ours: () => took(again, home),
      theirs: () => took(bare, home),
      limit: 'bare node',
      rounds,
    })
    tell({
      what: '  the first time',
      figure: spreadOf([before]),
      unit: 'ms of processor time',
      digits: 0,
    })
  } finally {
    rmSync(home, { recursive: true })
  }
}

function idOf(number: number): string {
  return `5e55104e-0000-4000-8000-${String(number).padStart(12, '0')}`
}

function beside({
  what,
  most,
  ours,
  theirs,
  limit,
  rounds,
}: {
  what: string
  most: number
  ours: () => number
  theirs: () => number
  limit: string
  rounds: number
}): void {
  const figures: number[] = []
  const limits: number[] = []
  for (let round = 0; round < rounds; round++) {
    figures.push(ours())
    limits.push(theirs())
  }
  const figure: Spread = spreadOf(figures)
  tell({
    what,
    figure,
    unit: 'ms of processor time',
    goal: { most },
    limit: { figure: spreadOf(limits), what: limit },
    digits: 0,
  })
}

/** Milliseconds of processor time of a process. */
function took({ argv, input }: Program, home: string, env: Record<string, string> = {}): number {
  const { PATH } = process.env
  const { output, status, stderr } = spawnSync(process.execPath, ['--require', preload, ...argv], {
    cwd: home,
    env: { HOME: home, PATH, ...env },
    encoding: 'utf8',
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    ...(input !== undefined && { input }),
  })
  if (status !== 0) throw new Error(`${argv.join(' ')} failed: ${stderr}`)
  return (JSON.parse(output[3] ?? '') as { milliseconds: number }).milliseconds
}

if (process.argv[1] === import.meta.filename) await benchCommand()
