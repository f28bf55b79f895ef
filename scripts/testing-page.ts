import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { docs, readJson, table, type RecordedRun } from './records.ts'
import { longRuns } from './runs.ts'
import { securityPage } from './security-page.ts'

interface Mutants {
  rooms: { room: string; date: string; score: number; sample?: { size: number } }[]
  guards: { date: string; noticedBy?: string }[]
}

interface ClientRun {
  name: string
  date: string
  build?: string
  sessions: { problems: string[] }[]
  inside?: { problems: string[] }[]
  missing?: string
}

export function writePages(): void {
  writeFileSync(join(docs, 'testing.md'), testingPage())
  writeFileSync(join(docs, 'security.md'), securityPage())
}

/** The page `docs/testing.md`: what each command proves, and its last recorded run. */
export function testingPage(): string {
  const runs = readJson<RecordedRun[]>('runs.json', [])
  const rows = longRuns.map(({ name, command, proves }) => [
    `\`${command}\``,
    proves,
    lastRun(runs.find((run) => run.name === name)),
  ])
  return [
    ...before,
    ...table(['command', 'what it proves', 'last run'], [...rows, ...otherRuns()]),
    '',
    ...after,
    '',
  ].join('\n')
}

const before = [
  '# Testing',
  '',
  'For those who work on Throughline. `npm test` builds the package and runs all tests but those that take more than some seconds. These are named `*.long.test.ts`, and `npm run test:long` runs them; `.ci/run` runs both. Properties run on a sample of cases with a fixed seed, so a failure belongs to the change at hand. Tests that need real sessions look for them in `../shared/corpus` and say so when they skip.',
  '',
  '`.ci/run` is what a change must pass. It is meant to take less than 30 minutes and prints how long each step took.',
  '',
  'What takes longer has a command of its own. Each command records its run in `docs/`, and this page is written from those records. A test fails when the page and the records differ.',
  '',
]

const after = [
  '## Rules for tests',
  '',
  '- **No test asserts time.** A busy machine makes any code slow. Where work must grow in proportion to its input, a test counts the work, or uses `expectLinear` of `testing/growth.ts`. That helper compares the processor time of one large piece of work with that of as many small ones. Linear work gives 1, and quadratic work gives the ratio of the sizes.',
  '- **No test waits for a time.** It waits for an event: a line of output, a call of an injected function, a message from a process. The time limit of ten minutes only ends tests that hang.',
  '- **A test can fail.** `npm run mutants -- --guards` deletes each guard that a promise names and expects a test to fail. The list of guards is in `mutants/guards/`. If you move or rewrite a guard, `npm test` tells you to change its entry; if you add one, add an entry.',
  '- **A number in the docs comes from a recorded run.** `docs/formats.md`, `docs/faults.md`, `docs/mutants.md` and this page are written by commands.',
]

function lastRun(run: RecordedRun | undefined): string {
  if (!run) return 'not recorded'
  const { date, on, minutes, passed, tests } = run
  const result = tests
    ? `${tests.passed.toLocaleString('en')} passed, ${tests.failed} failed, ${tests.skipped} skipped`
    : passed
      ? 'passed'
      : 'failed'
  return `${date}: ${result}, in ${minutes === 1 ? '1 minute' : `${minutes} minutes`} (${on})`
}

/** What commands with records of their own have found. */
function otherRuns(): string[][] {
  const { rooms, guards } = readJson<Mutants>('mutants.json', { rooms: [], guards: [] })
  const noticed = guards.filter(({ noticedBy }) => noticedBy !== undefined).length
  const clients = readJson<ClientRun[]>('clients.json', [])
  const fine = clients.filter(
    ({ sessions, inside = [], missing }) =>
      missing === undefined && [...sessions, ...inside].every((one) => one.problems.length === 0),
  )
  return [
    [
      '`npm run mutants -- --guards`',
      'Each guard that a promise names is needed: without it a test of that promise fails. See [mutants](mutants.md).',
      guards.length === 0
        ? 'not recorded'
        : `${newest(guards)}: ${noticed} of ${guards.length} deletions noticed`,
    ],
    [
      '`npm run mutants`',
      'How many small changes of `log/`, `compaction/` and `session/` the tests catch. It takes some hours; `--sample 200` tries a few of each room in minutes.',
      rooms.length === 0
        ? 'not recorded'
        : `${newest(rooms)}: ${rooms.length} rooms, ${Math.min(...rooms.map(({ score }) => score)).toFixed(0)} to ${Math.max(...rooms.map(({ score }) => score)).toFixed(0)}% caught; see [mutants](mutants.md)`,
    ],
    [
      '`npm run test:clients -- --json docs/clients.json`',
      'Real clients go on from sessions that were compacted and written for them.',
      clients.length === 0
        ? 'not recorded'
        : `${newest(clients)}: ${fine.length} of ${clients.length} clients without a problem, ${buildsOf(clients)}`,
    ],
  ]
}

function buildsOf(clients: readonly ClientRun[]): string {
  const builds = [...new Set(clients.map(({ build = 'an earlier one' }) => build))]
  return builds.length === 1 ? `all at commit ${builds[0]}` : `at commits ${builds.join(', ')}`
}

function newest(runs: readonly { date: string }[]): string {
  return (
    runs
      .map(({ date }) => date)
      .toSorted()
      .at(-1) ?? ''
  )
}
