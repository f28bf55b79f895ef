/**
 * What it takes to start: processor time (user and system) and files of the package, each beside
 * bare Node in the same run. `npm run bench:start`.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const root = join(import.meta.dirname, '../..')
const preload = join(import.meta.dirname, 'report-usage.cjs')
const bin = join(root, 'packages/throughline/bin/throughline.js')
const sample = join(root, 'examples/sample-session.jsonl')

const { values } = parseArgs({ options: { runs: { type: 'string', default: '15' } } })
const runs = Number(values.runs)

interface Start {
  name: string
  argv: readonly string[]
  /** The most that it may take beside nothing, in milliseconds of processor time. */
  goal?: number
}

const starts: readonly Start[] = [
  { name: 'bare node', argv: ['-e', ''] },
  { name: "import 'throughline'", argv: importing('throughline'), goal: 100 },
  { name: "import 'throughline/sqlite'", argv: importing('throughline/sqlite') },
  { name: "import 'throughline/formats'", argv: importing('throughline/formats') },
  { name: 'throughline --help', argv: [bin, '--help'], goal: 120 },
  { name: 'throughline pin --help', argv: [bin, 'pin', '--help'] },
  { name: 'throughline config --no-config', argv: [bin, 'config', '--no-config'] },
  { name: 'throughline report --fill SAMPLE', argv: [bin, 'report', '--fill', sample] },
  { name: 'throughline mcp --help', argv: [bin, 'mcp', '--help'] },
]

const times = new Map(starts.map(({ name }) => [name, [] as number[]]))
// In turns: what else the machine does falls on all of them.
for (let run = 0; run < runs; run++) {
  for (const { name, argv } of starts) times.get(name)?.push(started(argv).milliseconds)
}

console.log(`node ${process.version}, ${runs} runs, milliseconds of processor time\n`)
console.log(row('', 'min', 'median', 'over bare', 'files', 'goal'))
const [bare = 0] = ordered('bare node')
for (const { name, argv, goal } of starts) {
  const all = ordered(name)
  const least = all[0] ?? 0
  const median = all[Math.floor(all.length / 2)] ?? 0
  const verdict = goal === undefined ? '' : `${goal}: ${median <= goal ? 'met' : 'MISSED'}`
  const { files } = started(argv, { COUNT_FILES: '1' })
  const figures = [least, median, least - bare].map((figure) => figure.toFixed(0))
  console.log(row(name, ...figures, String(files.length), verdict))
}

function importing(name: string): string[] {
  return ['--input-type=module', '-e', `import ${JSON.stringify(name)}`]
}

function started(argv: readonly string[], env: Record<string, string> = {}) {
  const { output, status, stderr } = spawnSync(process.execPath, ['--require', preload, ...argv], {
    cwd: root,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  })
  if (status !== 0) throw new Error(`${argv.join(' ')} failed: ${stderr}`)
  return JSON.parse(output[3] ?? '') as { milliseconds: number; files: string[] }
}

function ordered(name: string): number[] {
  return (times.get(name) ?? []).toSorted((a, b) => a - b)
}

function row(name: string, ...cells: readonly string[]): string {
  return `${name.padEnd(32)}${cells.map((cell) => cell.padStart(12)).join('')}`.trimEnd()
}
