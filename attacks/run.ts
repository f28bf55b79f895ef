import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { readFileSync, writeFileSync } from 'node:fs'
import { attacks, whyNotRecorded, type AttackRun } from './attacks.ts'

// Runs every attack, or those that are named, with a new seed or the given one, and records what they tried: npm run record -- attacks
const [size = 'quick', ...others] = process.argv.slice(2)
const named = others.filter((other) => !/^\d+$/.test(other))
const given = others.find((other) => !named.includes(other))
const page = join(import.meta.dirname, '../docs/attacks.json')
const before = JSON.parse(readFileSync(page, 'utf8')) as AttackRun[]
const runs: AttackRun[] = []
for (const { name } of attacks) {
  const last = before.find((run) => run.name === name)
  if (named.length > 0 && !named.includes(name)) {
    if (last) runs.push(last)
    continue
  }
  // Another seed each time: what was tried before is known to hold.
  const seed = Number(given ?? (last?.seed ?? 100) + 1)
  const program = [join(import.meta.dirname, `${name}.mjs`), `${seed}`, size]
  const { stdout, status } = spawnSync(process.execPath, ['--no-warnings', ...program], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  })
  const said = stdout.trim().split('\n').at(-1) ?? ''
  if (!said.startsWith('{')) throw new Error(`${name} ended with ${status}: ${stdout.slice(-300)}`)
  const { counts = {}, broken = {} } = JSON.parse(said) as Partial<AttackRun>
  const date = new Date().toISOString().slice(0, 10)
  const run = { name, seed, size, date, counts, broken }
  const problem = whyNotRecorded(run, last)
  if (problem !== undefined) {
    console.error(problem, 'What broke:', broken)
    process.exitCode = 1
  }
  runs.push(problem === undefined || !last ? run : last)
  writeFileSync(page, `${JSON.stringify(runs, null, 2)}\n`)
}
writeFileSync(page, `${JSON.stringify(runs, null, 2)}\n`)
