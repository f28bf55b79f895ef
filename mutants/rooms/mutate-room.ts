import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../root.ts'
import { scoreOf, type MutantReport, type RoomRun } from './score.ts'
import type { Sample } from './sample.ts'

const source = 'packages/throughline/src'
// Outside git. What a whole run found is reused for what has not changed since.
const cache = join(root, '.cache/mutants')

/** How a room is mutated. */
export interface RoomOptions {
  /** A folder or a file below `packages/throughline/src`. */
  room: string
  /** Without one every mutant is tried. */
  sample?: Sample
  concurrency: number
}

/**
 * Mutates a room with Stryker and runs the tests that cover each mutant.
 * @throws Error if there is no such room, or if the tests fail before anything is mutated.
 */
export async function mutateRoom({ room, sample, concurrency }: RoomOptions): Promise<RoomRun> {
  const path = join(source, room)
  if (!existsSync(join(root, path)))
    throw new Error(`There is no ${path}. Name a folder or a file in ${source}.`)
  const name = room.replaceAll('/', '-')
  const report = join(cache, `${name}.report.json`)
  const config = join(cache, `${name}.config.json`)
  mkdirSync(cache, { recursive: true })
  rmSync(report, { force: true })
  const settings = {
    mutate: path.endsWith('.ts')
      ? [path]
      : [`${path}/**/*.ts`, `!${path}/**/*.test.ts`, `!${path}/**/does-not-compile/**`],
    testRunner: 'vitest',
    vitest: { configFile: 'mutants/rooms/vitest.config.ts', related: true, pool: 'threads' },
    plugins: [
      '@stryker-mutator/vitest-runner',
      ...(sample ? [join(root, 'mutants/rooms/sample.ts')] : []),
    ],
    ...(sample && { checkers: ['sample'] }),
    coverageAnalysis: 'perTest',
    // What runs once as a module is loaded would need every test, in a new process.
    ignoreStatic: true,
    concurrency,
    // A mutant that never ends is caught; a busy machine is not taken for one.
    timeoutMS: 30_000,
    timeoutFactor: 3,
    ...(!sample && { incremental: true, incrementalFile: join(cache, `${name}.incremental.json`) }),
    tempDirName: '.cache/stryker',
    ignorePatterns: ['dist', 'clients', '.ci', '.cache', 'bench/report'],
    // Stryker reads it with a TypeScript older than ours; nothing here needs it.
    tsconfigFile: 'mutants/none.json',
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: report },
    allowConsoleColors: false,
  }
  writeFileSync(config, JSON.stringify(settings, null, 2))
  const picks = { ...sample, file: join(cache, `${name}.picks.json`) }
  const child = spawn(
    process.execPath,
    [join(root, 'node_modules/@stryker-mutator/core/bin/stryker.js'), 'run', config],
    {
      cwd: root,
      stdio: ['ignore', 2, 2],
      env: { ...process.env, THROUGHLINE_MUTANT_SAMPLE: JSON.stringify(picks) },
    },
  )
  const [code] = (await once(child, 'close')) as [number | null]
  if (!existsSync(report)) throw new Error(`Stryker ended with ${code} and no report: see above.`)
  const told = JSON.parse(readFileSync(report, 'utf8')) as MutantReport
  return scoreOf(told, { room, ...(sample && { sample }) })
}
