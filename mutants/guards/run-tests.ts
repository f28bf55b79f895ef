import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../root.ts'

/** What became of some tests. */
export type Outcome =
  | { result: 'passed'; tests: number }
  | { result: 'failed'; tests: number; first: string }
  /** They came to no end. */
  | { result: 'hung' }
  /** No test ran, so none can have failed: the code itself is broken. */
  | { result: 'broken'; output: string }

// Milliseconds, of a busy machine: a test that still runs then has no end.
const patience = 900_000
const vitest = join(root, 'node_modules/vitest/vitest.mjs')

interface Report {
  numTotalTests: number
  testResults: {
    name: string
    message: string
    status: string
    assertionResults: { status: string; fullName: string }[]
  }[]
}

/**
 * Runs the test files of a copy of the workspace whose paths hold one of these texts; of them all
 * tests, or only those whose whole name holds one of these names.
 */
export async function runTests(
  copy: string,
  files: readonly string[],
  named: readonly string[] = [],
): Promise<Outcome> {
  const report = join(copy, 'report.json')
  rmSync(report, { force: true })
  const child = spawn(
    process.execPath,
    [
      vitest,
      'run',
      '--bail=1',
      '--reporter=json',
      `--outputFile=${report}`,
      ...(named.length === 0 ? [] : ['--testNamePattern', named.map(asPattern).join('|')]),
      ...files,
    ],
    { cwd: copy, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  let hung = false
  const late = setTimeout(() => {
    hung = true
    // The tests run in processes of its own group.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }, patience)
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(late)
  if (hung) return { result: 'hung' }
  const told = reportIn(report)
  if (!told || told.numTotalTests === 0) return { result: 'broken', output }
  const all = told.testResults.flatMap(({ assertionResults }) => assertionResults)
  const failed = all.find(({ status }) => status === 'failed')
  const tests = all.filter(({ status }) => status === 'passed' || status === 'failed').length
  if (failed) return { result: 'failed', tests, first: failed.fullName }
  if (code === 0) return { result: 'passed', tests }
  const unread = told.testResults.filter(({ status }) => status === 'failed')
  const why = unread.map(({ name, message }) => `${name}: ${message}`).join('\n')
  return { result: 'broken', output: `${output}\n${why}` }
}

/** A report joins the names of groups and test by spaces, and the filter by ` > `. */
function asPattern(name: string): string {
  const words = name.split(' ').map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return words.join('(?: > | )')
}

function reportIn(file: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report
  } catch {
    return undefined
  }
}
