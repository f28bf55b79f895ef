import type { GuardRun } from './guards/run-guards.ts'
import type { RoomRun, Survivor } from './rooms/score.ts'

/** What runs of the command have found: the newest of each room and of each guard. */
export interface Recorded {
  rooms: readonly RoomRun[]
  guards: readonly GuardRun[]
}

/** The page `docs/mutants.md`. */
export function mutantsPage({ rooms, guards }: Recorded): string {
  return [
    '# Mutants',
    '',
    'For those who work on Throughline. A test that cannot fail proves nothing. `npm run mutants` breaks the code on purpose and checks that a test notices. The command writes this page from `docs/mutants.json`; run it before a release.',
    '',
    '## Guards',
    '',
    ...guardLines(guards),
    '## Rooms',
    '',
    ...roomLines(rooms),
  ].join('\n')
}

function guardLines(guards: readonly GuardRun[]): string[] {
  if (guards.length === 0)
    return ['No run has been recorded. Run `npm run mutants -- --guards`.', '']
  const noticed = guards.filter(({ noticedBy }) => noticedBy !== undefined).length
  return [
    `\`npm run mutants -- --guards\` deletes each guard that a promise names, one at a time, and runs the tests of that promise. ${noticed} of ${guards.length} deletions were noticed.`,
    '',
    ...table(
      ['promise', 'guard', 'where', 'noticed by', 'run on'],
      guards.map(({ promise, guard, file, noticedBy, date }) => [
        promise,
        guard,
        `\`${file}\``,
        noticedBy === undefined ? '**nothing**' : cell(noticedBy),
        date,
      ]),
    ),
    '',
  ]
}

function roomLines(rooms: readonly RoomRun[]): string[] {
  if (rooms.length === 0)
    return ['No run has been recorded. Run `npm run mutants -- --sample 200`.', '']
  return [
    'Stryker’s instrumenter changes one operator, condition, text or block at a time, and the tests that cover it run, the quickest first, until one fails. A mutant that no test covers counts as not caught, and so does one that the tests do not catch within `--patience`, 20 seconds by default. The score of a sample is an estimate for the whole room. Code that runs only once, when a module is loaded, is left out.',
    '',
    ...table(
      ['room', 'mutants', 'tried', 'caught', 'not covered', 'score', 'sample', 'run on'],
      rooms.map((run) => [
        run.room,
        `${run.mutants}`,
        `${run.tried}`,
        `${run.caught}`,
        `${run.uncovered}`,
        `${run.score.toFixed(1)}%`,
        `${run.sample ? `${run.sample.size}, seed ${run.sample.seed}` : 'all'}${run.patience && run.patience !== 20 ? `, ${run.patience} seconds` : ''}`,
        run.commit === undefined ? run.date : `${run.date}, ${run.commit}`,
      ]),
    ),
    '',
    ...rooms.flatMap(survivorLines),
  ]
}

function survivorLines({ room, survivors }: RoomRun): string[] {
  if (survivors.length === 0) return []
  const covered = survivors.filter((survivor) => survivor.covered)
  const others = Map.groupBy(
    survivors.filter((survivor) => !survivor.covered),
    ({ file }) => file,
  )
  return [
    `### Survivors in ${room}`,
    '',
    ...(covered.length === 0
      ? []
      : [
          ...table(
            ['line', 'was', 'became'],
            covered.map(({ file, line, was, became }: Survivor) => [
              `${file}:${line}`,
              code(was),
              code(became),
            ]),
          ),
          '',
        ]),
    ...(others.size === 0
      ? []
      : [
          `No test of these folders runs ${[...others].map(([file, own]) => `${file} (${own.length})`).join(', ')}.`,
          '',
        ]),
  ]
}

/** The same for a terminal. */
export function roomText(run: RoomRun): string {
  const survivors = run.survivors.map(
    ({ file, line, was, became, covered }) =>
      `  ${file}:${line}  ${was}  →  ${became}${covered ? '' : '  (no test runs it)'}`,
  )
  const of = run.sample ? `, ${run.tried} of them tried (seed ${run.sample.seed})` : ''
  return [
    `${run.room}: ${run.score.toFixed(1)}% caught; ${run.mutants} mutants${of}, ${run.uncovered} not covered`,
    ...survivors,
  ].join('\n')
}

/** Without marks of code inside it: the formatter counts their width in its own way. */
function code(text: string): string {
  return `\`${cell(text.replaceAll('`', "'"))}\``
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}

/** A table with its columns under each other, as the formatter has them. */
function table(head: readonly string[], rows: readonly string[][]): string[] {
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((cells) => (cells[column] ?? '').length)),
  )
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)]
}
