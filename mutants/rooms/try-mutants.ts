import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'vitest'
import { collect, type Collected } from './collected.ts'
import type { Coverage, Line, Work } from './work.ts'

// What Stryker's switches read and count.
interface Switches {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  hitCount?: number | undefined
  hitLimit?: number | undefined
  mutantCoverage?: {
    static: Record<string, number>
    perTest: Record<string, Record<string, number>>
  }
}

const shared = globalThis as unknown as Record<string, Switches | undefined>
const switches = (shared['__stryker__'] ??= {})
const work = JSON.parse(readFileSync(process.env['THROUGHLINE_MUTANTS'] ?? '', 'utf8')) as Work
const tell = (line: Line): void => appendFileSync(work.results, `${JSON.stringify(line)}\n`)

test('mutants', async () => {
  await import(/* @vite-ignore */ work.seed)
  const tests: Collected[] = []
  for (const file of work.tests) {
    tests.push(...(await collect(() => import(/* @vite-ignore */ file))))
  }
  if (existsSync(work.coverage)) {
    await tryAll(tests, JSON.parse(readFileSync(work.coverage, 'utf8')) as Coverage)
  } else {
    writeFileSync(work.coverage, JSON.stringify(await coverageOf(tests)))
  }
})

/** Runs every test once, with no mutant: what it covers, and how long it takes. */
async function coverageOf(tests: readonly Collected[]): Promise<Coverage> {
  const coverage: Coverage = { static: [], covered: {}, times: [], failed: [] }
  for (const [index, { name, run }] of tests.entries()) {
    switches.currentTestId = `${index}`
    const start = process.cpuUsage()
    const passed = await run().then(
      () => true,
      () => false,
    )
    const { user, system } = process.cpuUsage(start)
    coverage.times.push((user + system) / 1_000)
    const hits = Object.entries(switches.mutantCoverage?.perTest[`${index}`] ?? {})
    if (passed) for (const [id, count] of hits) (coverage.covered[id] ??= []).push([index, count])
    else coverage.failed.push(name)
  }
  switches.currentTestId = undefined
  coverage.static = Object.keys(switches.mutantCoverage?.static ?? {})
  return coverage
}

async function tryAll(tests: readonly Collected[], coverage: Coverage): Promise<void> {
  const told = readFileSync(work.results, 'utf8').split('\n').filter(Boolean)
  const lines = told.map((line) => JSON.parse(line) as Line)
  const done = new Set(lines.flatMap((line) => ('status' in line ? [line.id] : [])))
  const again = new Set(lines.flatMap((line) => ('again' in line ? [line.again] : [])))
  for (const id of work.ids.filter((id) => !done.has(id))) {
    tell({ begun: id })
    const outcome = await tryOne(id, tests, coverage)
    if (outcome === 'survived') {
      tell({ id, status: 'Survived' })
      continue
    }
    const { killer, hung, index } = outcome
    // A mutant may have spoilt what tests share: then the next ones are tried in a new process,
    // and so is this one, once, because another may have spoilt it before.
    const quick = (coverage.times[index] ?? 0) < 2_000
    const spoilt = hung || (quick && !(await passes(tests[index] as Collected)))
    if (spoilt && !hung && !again.has(id)) return tell({ again: id })
    tell({ id, status: hung ? 'Timeout' : 'Killed', killer })
    if (spoilt) return tell({ again: '' })
  }
  tell({ finished: true })
}

type Caught = { killer: string; index: number; hung: boolean }

/** Runs the tests that cover a mutant, the quickest first, until one fails or patience ends. */
async function tryOne(
  id: string,
  tests: readonly Collected[],
  { covered, times }: Coverage,
): Promise<Caught | 'survived'> {
  const timeOf = (index: number): number => times[index] ?? 0
  const covering = (covered[id] ?? []).toSorted(([a], [b]) => timeOf(a) - timeOf(b))
  let spent = 0
  for (const [index, hits] of covering) {
    spent += timeOf(index)
    if (spent > work.patience && spent > timeOf(index)) break
    const { name, run } = tests[index] as Collected
    Object.assign(switches, { activeMutant: id, hitCount: 0, hitLimit: hits * 100 + 1_000 })
    const outcome = await outcomeOf(run, Math.max(30_000, timeOf(index) * 20))
    Object.assign(switches, { activeMutant: undefined, hitCount: undefined, hitLimit: undefined })
    if (outcome !== 'passed') return { killer: name, index, hung: outcome === 'hung' }
  }
  return 'survived'
}

async function passes({ run }: Collected): Promise<boolean> {
  return (await outcomeOf(run, 60_000)) === 'passed'
}

async function outcomeOf(
  run: () => Promise<void>,
  limit: number,
): Promise<'passed' | 'failed' | 'hung'> {
  let late: NodeJS.Timeout | undefined
  const hung = new Promise<'hung'>((resolve) => {
    late = setTimeout(() => resolve('hung'), limit)
  })
  const ran = run().then(
    () => 'passed' as const,
    () => 'failed' as const,
  )
  const outcome = await Promise.race([ran, hung])
  clearTimeout(late)
  return outcome
}
