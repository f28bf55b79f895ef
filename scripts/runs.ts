/** A run that takes too long for every change, and is recorded when it was made. */
export interface LongRun {
  name: string
  /** What a reader types. */
  command: string
  proves: string
  /** How it is done: with vitest, on these files; or as a command of its own. */
  does: { vitest: readonly string[] } | { program: string; args: readonly string[] }
  env?: Readonly<Record<string, string>>
}

const formats = 'packages/throughline/src/formats'
const full = { THROUGHLINE_FULL: '1' }

/** Everything that `npm run record` can run and record. */
export const longRuns: readonly LongRun[] = [
  {
    name: 'ci',
    command: 'npm run record -- ci',
    proves:
      'A change can be merged: installation, a sample of every property, types, lint, the package, the command, the benchmark’s goals, the examples with 300 steps each, and two real clients. This is `.ci/run`.',
    does: { program: 'bash', args: ['.ci/run'] },
  },
  {
    name: 'full',
    command: 'npm run test:full',
    proves:
      'Every property holds on twenty times as many cases, with new random seeds each time, and on every file of the corpus.',
    does: { vitest: [] },
    env: full,
  },
  {
    name: 'fuzz',
    command: 'npm run test:fuzz',
    proves:
      'No reader fails on damaged records, 10,000 of each format, no command hangs on them, and every writer’s sessions read back. `docs/formats.md` shows the figures of this run.',
    does: {
      vitest: [
        `${formats}/fuzz.long.test.ts`,
        'packages/throughline/src/cli/every-command-ends.long.test.ts',
        `${formats}/writing/round-trip.long.test.ts`,
        `${formats}/writing/api-round-trip.long.test.ts`,
        `${formats}/throughline/throughline.long.test.ts`,
      ],
    },
    env: full,
  },
  {
    name: 'faults',
    command: 'npm run record -- faults',
    proves:
      'Whatever fault a provider has, on every wire, an agent ends in a valid state. The run writes `docs/faults.md`.',
    does: { vitest: ['packages/throughline/src/promises/faults'] },
    env: { ...full, UPDATE_DOCS: '1' },
  },
  {
    name: 'gateway-killed',
    command: 'npm run record -- gateway-killed',
    proves:
      'Two gateways on one Postgres answer every request and lose no acknowledged checkpoint while one of them is killed under load, 200 times, and whatever happens to Postgres.',
    does: {
      vitest: ['gateway/src/postgres/killed-replicas', 'gateway/src/postgres/faults'],
    },
    env: full,
  },
  {
    name: 'killed',
    command: 'npm run record -- killed',
    proves:
      'A store loses nothing that was acknowledged when its process is killed, 200 times, or when several processes write to it.',
    does: { vitest: ['promises/g11', 'stores/sqlite/concurrency', 'stores/sqlite/together'] },
    env: full,
  },
  {
    name: 'attacks',
    command: 'npm run record -- attacks',
    proves:
      'The packed package withstands programs written by somebody who had not seen its code; `docs/security.md` shows what they tried, and what broke.',
    does: { program: process.execPath, args: ['--no-warnings', 'attacks/run.ts', 'quick'] },
  },
]
