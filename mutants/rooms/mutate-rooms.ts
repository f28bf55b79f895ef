import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { copyOfWorkspace, removeCopy } from '../guards/copy.ts'
import { root } from '../root.ts'
import { instrument, type Mutant } from './instrument.ts'
import { cover, tryMutants, type Verdicts } from './run-work.ts'
import { picked, type Sample } from './sample.ts'
import { scoreOf, type RoomRun, type TriedMutant } from './score.ts'
import type { Coverage, Work } from './work.ts'

const source = 'packages/throughline/src'

// The tests that mutants are run against: no processes, no corpus, no compiler, no faults.
const tested = '{log,compaction,session,promises}/**/*.test.ts'
const untested =
  /promises\/(?:g11-|g01-whole-lives|real-sessions|errors-across|faults\/)|two-orders|model-tokens|hostile\.test/

/** How rooms are mutated. */
export interface RoomsOptions {
  /** Folders or files below `packages/throughline/src`; `folder/*` is without its folders. */
  rooms: readonly string[]
  /** Of each room; without one every mutant is tried. */
  sample?: Sample
  /** Seconds that the tests of one mutant may take together. */
  patience: number
}

/**
 * Builds all mutants of the rooms into a copy of the package, loads its tests once, and switches
 * one mutant on after the other for the tests that cover it.
 * @throws Error if there is no such room, or if no test runs.
 */
export async function mutateRooms(
  { rooms, sample, patience }: RoomsOptions,
  onRoom: (run: RoomRun) => void,
): Promise<void> {
  for (const room of rooms) sourcesOf(room)
  const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: root })
    .toString()
    .trim()
  const copy = copyOfWorkspace()
  try {
    const below = join(copy, source)
    const ofRoom = rooms.map((room) => ({ room, files: sourcesOf(room) }))
    const files = [...new Set(ofRoom.flatMap((each) => each.files))]
    const { mutants, sources } = await instrument(files.map((file) => join(below, file)))
    const work = prepared(copy, patience * 1_000)
    say(`${mutants.length} mutants; the tests run once without any`)
    const place = join(copy, 'work.json')
    const coverage = await cover(work, place)
    for (const name of coverage.failed) say(`left out, because it fails without mutants: ${name}`)
    for (const { room, files } of ofRoom) {
      const own = mutants.filter(({ fileName }) => files.includes(relative(below, fileName)))
      const { covered, uncovered } = sorted(own, coverage)
      const chosen = sample ? picked(covered, sample) : covered
      const ids = chosen.map(({ id }) => id)
      const results = join(copy, `${room.replaceAll(/[^\w-]/g, '-')}.results.jsonl`)
      const verdicts = await tryMutants({ ...work, ids, results }, place, (tried) =>
        say(`${room}: ${tried} of ${ids.length} tried`),
      )
      const told = [...covered, ...uncovered].map((mutant): TriedMutant => {
        const file = relative(below, mutant.fileName)
        const text = sources.get(mutant.fileName) ?? ''
        return { file, source: text, mutant, status: statusOf(mutant, verdicts, coverage) }
      })
      onRoom(scoreOf(told, { room, commit, patience, ...(sample && { sample }) }))
    }
  } finally {
    removeCopy(copy)
  }
}

/** The source files of a room, below the package's sources. */
function sourcesOf(room: string): string[] {
  const folder = room.replace(/\/\*$/, '')
  const found = statSync(join(root, source, folder), { throwIfNoEntry: false })
  if (!found) throw new Error(`There is no ${room} in ${source}. Name a folder or a file there.`)
  if (found.isFile()) return [room]
  return globSync(folder === room ? '**/*.ts' : '*.ts', { cwd: join(root, source, folder) })
    .filter((file) => !/\.test\.ts$|does-not-compile|(?:^|\/)testing\//.test(file))
    .map((file) => join(folder, file))
    .toSorted()
}

/** Makes the tests of the copy collectable, and says where everything is. */
function prepared(copy: string, patience: number): Work {
  const below = join(copy, source)
  const tests = globSync(tested, { cwd: below }).filter((file) => !untested.test(file))
  const collected = JSON.stringify(join(root, 'mutants/rooms/collected.ts'))
  for (const file of tests) {
    change(join(below, file), (text) => text.replace("from 'vitest'", `from ${collected}`))
  }
  const seed = join(below, 'testing/generate/property-seed.ts')
  // What fails is not made smaller: that it fails is enough.
  change(seed, (text) => text.replace('configureGlobal({', 'configureGlobal({ endOnFailure: true,'))
  mkdirSync(copy, { recursive: true })
  const coverage = join(copy, 'coverage.json')
  rmSync(coverage, { force: true })
  return {
    tests: tests.toSorted().map((file) => join(below, file)),
    seed,
    coverage,
    results: '',
    ids: [],
    patience,
  }
}

function change(file: string, by: (text: string) => string): void {
  writeFileSync(file, by(readFileSync(file, 'utf8')))
}

/** Without what runs only as a module is loaded: a switch comes too late for it. */
function sorted(
  mutants: readonly Mutant[],
  { covered, static: atLoad }: Coverage,
): { covered: Mutant[]; uncovered: Mutant[] } {
  const loading = new Set(atLoad)
  return {
    covered: mutants.filter(({ id }) => covered[id]),
    uncovered: mutants.filter(({ id }) => !covered[id] && !loading.has(id)),
  }
}

function statusOf(
  { id }: Mutant,
  verdicts: Verdicts,
  { covered }: Coverage,
): TriedMutant['status'] {
  if (!covered[id]) return 'NoCoverage'
  return verdicts.get(id) ?? 'Untried'
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
