import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { attacksIn, figuresIn, type AttackFigures, type FormatFigures } from './format-figures.ts'
import { longRuns, type LongRun } from './runs.ts'
import { readJson, type RecordedRun } from './records.ts'
import { writePages } from './testing-page.ts'

// Runs one of the long runs, and records that it was made: npm run record -- <name>
const root = join(import.meta.dirname, '..')
const cache = join(root, '.cache/runs')
const report = join(cache, 'report.json')
const figures = join(cache, 'figures.jsonl')
const corpus = join(root, '../shared/corpus')

async function record(run: LongRun): Promise<void> {
  mkdirSync(cache, { recursive: true })
  for (const file of [report, figures]) rmSync(file, { force: true })
  const started = Date.now()
  const code = await runOf(run)
  const minutes = Math.ceil((Date.now() - started) / 60_000)
  const tests = testsIn(report)
  const made: RecordedRun = {
    name: run.name,
    date: new Date().toISOString().slice(0, 10),
    on: `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} cores, ${existsSync(corpus) ? 'with' : 'without'} the corpus`,
    minutes,
    passed: code === 0,
    ...(tests && { tests }),
  }
  const runs = readJson<RecordedRun[]>('runs.json', []).filter(({ name }) => name !== run.name)
  const order = longRuns.map(({ name }) => name)
  write(
    'runs.json',
    [...runs, made].toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name)),
  )
  // A run that failed shows nothing of any format.
  if (code === 0 && existsSync(figures)) {
    const before = readJson<FormatFigures[]>('figures.json', [])
    const counted = readFileSync(figures, 'utf8')
    write('figures.json', figuresIn(counted, made.date, before))
    write(
      'security.json',
      attacksIn(counted, made.date, readJson<AttackFigures>('security.json', {})),
    )
    await vitest(['packages/throughline/src/formats/formats-page.test.ts'], { UPDATE_DOCS: '1' })
  }
  writePages()
  process.exitCode = code === 0 ? 0 : 1
}

async function runOf({ does, env = {} }: LongRun): Promise<number | null> {
  if (!('vitest' in does)) return ended(does.program, does.args, env)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  return vitest([...reporters, ...does.vitest], { ...env, THROUGHLINE_FIGURES: figures })
}

async function vitest(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<number | null> {
  const program = join(root, 'node_modules/vitest/vitest.mjs')
  return ended(process.execPath, [program, 'run', ...args], env)
}

async function ended(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<number | null> {
  const child = spawn(program, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return code
}

function testsIn(file: string): RecordedRun['tests'] {
  if (!existsSync(file)) return undefined
  const told = JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>
  const { numPassedTests = 0, numFailedTests = 0, numPendingTests = 0 } = told
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests }
}

function write(name: string, value: unknown): void {
  writeFileSync(join(root, 'docs', name), `${JSON.stringify(value, null, 2)}\n`)
}

const [name] = process.argv.slice(2)
const run = longRuns.find((one) => one.name === name)
if (!run) {
  const names = longRuns.map((one) => one.name).join(', ')
  throw new Error(`npm run record -- <name>: name one of ${names}.`)
}
await record(run)
