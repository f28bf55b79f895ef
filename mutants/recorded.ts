import type { Recorded } from './page.ts'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mutantsPage } from './page.ts'
import { root } from './root.ts'
import { writePages } from '../scripts/testing-page.ts'
import type { GuardRun } from './guards/run-guards.ts'

const records = join(root, 'docs/mutants.json')
const page = join(root, 'docs/mutants.md')

export function recorded(): Recorded {
  if (!existsSync(records)) return { rooms: [], guards: [] }
  return JSON.parse(readFileSync(records, 'utf8')) as Recorded
}

/** Keeps what a run found in place of what an earlier one found, and writes the page. */
export function record({ rooms = [], guards = [] }: Partial<Recorded>): void {
  const before = recorded()
  const after: Recorded = {
    rooms: merged(before.rooms, rooms, ({ room }) => room),
    guards: merged(before.guards, guards, ({ promise, guard }) => `${promise} ${guard}`),
  }
  write(after)
  writePage()
}

/** Forgets what was recorded of guards that are listed no more. */
export function forgetGuards(isListed: (run: GuardRun) => boolean): void {
  const { rooms, guards } = recorded()
  write({ rooms, guards: guards.filter(isListed) })
}

/** Another run may read it at the same time. */
function write(all: Recorded): void {
  const made = `${records}.${process.pid}`
  writeFileSync(made, `${JSON.stringify(all, null, 2)}\n`)
  renameSync(made, records)
}

export function writePage(): void {
  writeFileSync(page, mutantsPage(recorded()))
  writePages()
}

function merged<Run>(
  before: readonly Run[],
  added: readonly Run[],
  nameOf: (run: Run) => string,
): Run[] {
  const runs = new Map(before.map((run) => [nameOf(run), run]))
  for (const run of added) runs.set(nameOf(run), run)
  return [...runs.values()].toSorted((a, b) =>
    nameOf(a).localeCompare(nameOf(b), 'en', { numeric: true }),
  )
}
