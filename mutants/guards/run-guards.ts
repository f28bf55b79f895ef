import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyOfWorkspace, removeCopy } from './copy.ts'
import { deleted } from './delete-guard.ts'
import { runTests, type Outcome } from './run-tests.ts'
import type { Guard } from './guard.ts'

/** A guard that was deleted, and who noticed. */
export interface GuardRun {
  promise: string
  guard: string
  file: string
  /** The first test that failed; `undefined` if none did. */
  noticedBy: string | undefined
  date: string
}

const source = 'packages/throughline/src'
const endless = 'a test that comes to no end'

/**
 * Deletes each guard in a copy of the workspace and runs the tests that must notice, first the one
 * that noticed it the last time.
 * @throws Error if a test that notices fails without any deletion, too, or where a guard cannot be deleted.
 */
export async function runGuards(
  guards: readonly Guard[],
  last: readonly GuardRun[],
  onRun: (run: GuardRun) => void,
): Promise<GuardRun[]> {
  const copy = copyOfWorkspace()
  try {
    return await runAll(guards, last, copy, onRun)
  } finally {
    removeCopy(copy)
  }
}

async function runAll(
  guards: readonly Guard[],
  last: readonly GuardRun[],
  copy: string,
  onRun: (run: GuardRun) => void,
): Promise<GuardRun[]> {
  const known = guards.flatMap((guard) => {
    const name = lastOf(guard, last)
    return name === undefined ? [] : [{ guard, name }]
  })
  if (known.length > 0) {
    const files = [...new Set(known.flatMap(({ guard }) => testsOf(guard)))]
    const names = [...new Set(known.map(({ name }) => name))]
    await mustPass(copy, files, names)
  }
  const runs: GuardRun[] = []
  for (const guard of guards) {
    const before = lastOf(guard, last)
    const run = await runWithout(guard, copy, before)
    const { noticedBy } = run
    // A test that fails anyway has noticed nothing.
    if (noticedBy !== undefined && noticedBy !== before && noticedBy !== endless) {
      await mustPass(copy, testsOf(guard), [noticedBy])
    }
    onRun(run)
    runs.push(run)
  }
  return runs
}

function lastOf({ promise, guard }: Guard, last: readonly GuardRun[]): string | undefined {
  const name = last.find((run) => run.promise === promise && run.guard === guard)?.noticedBy
  return name === endless ? undefined : name
}

async function mustPass(copy: string, files: readonly string[], names: readonly string[]) {
  const before = await runTests(copy, files, names)
  if (before.result !== 'passed' || before.tests === 0) {
    throw new Error(`With every guard in place the tests do not pass: ${inWords(before)}`)
  }
}

async function runWithout(
  guard: Guard,
  copy: string,
  suspect: string | undefined,
): Promise<GuardRun> {
  const path = join(copy, source, guard.file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, deleted(guard, text))
  try {
    const outcome = await outcomeOf(testsOf(guard), copy, suspect)
    const { promise, guard: name, file } = guard
    const date = new Date().toISOString().slice(0, 10)
    return { promise, guard: name, file, noticedBy: noticedIn(outcome, guard), date }
  } finally {
    writeFileSync(path, text)
  }
}

async function outcomeOf(
  tests: readonly string[],
  copy: string,
  suspect: string | undefined,
): Promise<Outcome> {
  const alone = suspect === undefined ? undefined : await runTests(copy, tests, [suspect])
  return alone?.result === 'failed' ? alone : runTests(copy, tests)
}

function testsOf({ promise, tests }: Guard): readonly string[] {
  return tests ?? [`promises/g${promise.slice(1).padStart(2, '0')}`]
}

function noticedIn(outcome: Outcome, { promise, guard }: Guard): string | undefined {
  if (outcome.result === 'passed') return undefined
  if (outcome.result === 'failed') return outcome.first
  if (outcome.result === 'hung') return endless
  throw new Error(`${promise}: without "${guard}" nothing runs: ${inWords(outcome)}`)
}

function inWords(outcome: Outcome): string {
  if (outcome.result === 'passed') return `${outcome.tests} of them ran.`
  if (outcome.result === 'failed') return `"${outcome.first}" fails.`
  if (outcome.result === 'broken') return outcome.output.slice(-2_000)
  return 'they came to no end.'
}
