/**
 * Tries the package as it is published with the oldest and the newest of everything it is used with,
 * each in a project of its own: `npm run matrix`. `--corners` tries the few that every change must
 * pass, `--only WORD` those whose name holds a word, `--left` those that were not tried on this commit,
 * so that a run that was stopped goes on. docs/matrix.json has what became of each when it was last
 * tried, with the commit; it is written after each.
 */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { lanes, type Lane, type Manager } from './lanes.ts'
import { matrixPage, type Tried } from './page.ts'

const root = join(import.meta.dirname, '../..')
const record = join(root, 'docs/matrix.json')
const { values } = parseArgs({
  options: {
    corners: { type: 'boolean', default: false },
    left: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})
const commit = ran('git', ['rev-parse', '--short=8', 'HEAD'], root).trim()
const recorded = existsSync(record) ? (JSON.parse(readFileSync(record, 'utf8')) as Tried[]) : []
const folder = mkdtempSync(join(tmpdir(), 'throughline-matrix-'))

try {
  const tarball = packed()
  const chosen = lanes.filter(
    ({ corner, name }) =>
      (!values.corners || corner === true) &&
      (!values.left || !recorded.some((one) => one.name === name && one.commit === commit)) &&
      (values.only === undefined || name.includes(values.only)),
  )
  const results: Tried[] = []
  for (const [index, lane] of chosen.entries()) {
    const result = tried(lane, tarball, join(folder, `lane-${index}`))
    console.log(
      `${result.passed ? 'passed' : 'FAILED'}  ${lane.group}: ${lane.name}: ${result.said}`,
    )
    results.push({ group: lane.group, name: lane.name, commit, ...result })
    if (values.corners) continue
    const all = merged(results)
    writeFileSync(record, `${JSON.stringify(all, null, 2)}\n`)
    writeFileSync(join(root, 'docs/matrix.md'), matrixPage(all))
  }
  const failed = results.filter(({ passed }) => !passed)
  console.log(`${results.length - failed.length} passed, ${failed.length} failed`)
  process.exitCode = failed.length > 0 ? 1 : 0
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** The lanes in their order, each with what became of it last. */
function merged(results: readonly Tried[]): Tried[] {
  return lanes.flatMap(
    ({ name }) => [...results, ...recorded].find((one) => one.name === name) ?? [],
  )
}

function tried(lane: Lane, tarball: string, at: string): Pick<Tried, 'passed' | 'said'> {
  try {
    return { passed: true, said: attempt(lane, tarball, at) }
  } catch (error) {
    return { passed: false, said: error instanceof Error ? error.message : String(error) }
  } finally {
    rmSync(at, { recursive: true, force: true })
  }
}

function attempt(lane: Lane, tarball: string, at: string): string {
  mkdirSync(at)
  writeFileSync(join(at, 'package.json'), '{ "private": true, "type": "module" }')
  const { packages, resolves, compiler } = lane
  if (resolves) {
    if (packages.length > 0) install(at, [...packages], ['--package-lock-only'])
    install(at, [tarball], ['--package-lock-only'])
    return 'installs'
  }
  // Node, Bun and Deno come by a script of their package.
  const scripts = lane.group === 'runtime' || lane.group === 'manager'
  const wanted = lane.manager ? packages : [...packages, tarball]
  // A package's own peers are its own affair.
  install(at, wanted, scripts ? ['--ignore-scripts=false'] : [])
  if (lane.manager) return managed(lane.manager, tarball, at)
  copyPrograms(at)
  for (const file of lane.examples ?? []) cpSync(join(root, 'examples', file), join(at, file))
  if (compiler) return compiled(at, compiler)
  if (lane.argv?.[0] === 'workerd.mjs') {
    const argv = ['worker.mjs', '--dir', 'bundled', '--format', 'esm', '--platform', 'browser']
    ran(join(at, 'node_modules/.bin/rolldown'), argv, at)
  }
  const command = lane.runtime ? join(at, 'node_modules/.bin', lane.runtime) : process.execPath
  const [said = ''] = ran(command, lane.argv ?? [], at)
    .trim()
    .split('\n')
    .slice(-1)
  return said
}

/** What the programs and the command say in a project that another package manager filled. */
function managed({ binary, prefix, exec, files }: Manager, tarball: string, at: string): string {
  const project = join(at, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }')
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text)
  copyPrograms(project)
  const own = join(at, 'node_modules/.bin', binary)
  ran(own, ['add', `${prefix}${tarball}`], project)
  const worked = ran(own, [...exec, 'node', 'run-pure.mjs'], project).trim()
  const version = ran(own, [...exec, 'throughline', '--version'], project).trim()
  return `${worked}; the command is ${version}`
}

function copyPrograms(to: string): void {
  const programs = join(import.meta.dirname, 'programs')
  for (const file of readdirSync(programs)) cpSync(join(programs, file), join(to, file))
}

/** Errors in the declarations of others are theirs. */
function compiled(at: string, compilerOptions: Record<string, unknown>): string {
  writeFileSync(join(at, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['types.ts'] }))
  const { stdout } = spawnSync(join(at, 'node_modules/.bin/tsc'), ['-p', '.'], {
    cwd: at,
    encoding: 'utf8',
  })
  const errors = stdout.split('\n').filter((line) => /^\S.*error TS/.test(line))
  const ours = errors.filter((line) =>
    /^(?:types\.ts|tsconfig|node_modules\/throughline|error)/.test(line),
  )
  const [first] = ours
  if (first !== undefined) throw new Error(`${ours.length} errors: ${first.slice(0, 300)}`)
  return 'compiles'
}

function install(at: string, packages: readonly string[], options: readonly string[]): void {
  const always = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline']
  ran('npm', ['install', ...always, ...options, ...packages], at)
}

function packed(): string {
  const argv = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const answer = JSON.parse(ran('npm', argv, join(root, 'packages/throughline'))) as object
  const [made] = Object.values(answer) as { filename: string }[]
  return join(folder, made?.filename ?? '')
}

function ran(command: string, argv: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, argv, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1e9,
    timeout: 300_000,
  })
  if (status === 0) return stdout
  const said = `${stderr}\n${stdout}`.split('\n').find((line) => /error/i.test(line))
  throw new Error(`${argv.slice(0, 2).join(' ')}: ${String(error ?? said ?? status).slice(0, 300)}`)
}
