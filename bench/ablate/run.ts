import { spawn } from 'node:child_process'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { markdownTable } from '../compare/markdown.ts'
import { rooms, type Room } from './rooms.ts'
import type { Kept } from './measure.ts'

const usage = `Switches parts of the library off, one at a time, and measures what is kept
(npm run bench:ablate).

  --only A,B        only these parts, and the whole library
  --sealed TEXT     the whole library on the sealed exams, once, for the decision TEXT;
                    it is written to bench/exams/sealed/log.md
  --record          write the table to docs/evaluation.md
`

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    sealed: { type: 'string' },
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

const begin = '<!-- begin: npm run bench:ablate -- --record -->'
const end = '<!-- end -->'
const root = join(import.meta.dirname, '../..')
const points = (share: number): string => (share * 100).toFixed(1)

if (values.help) console.log(usage)
else if (values.sealed === undefined) await ablate()
else await openSealed(values.sealed)

async function ablate(): Promise<void> {
  const named = values.only?.split(',')
  const chosen = rooms.filter(({ name }, at) => at === 0 || (named?.includes(name) ?? true))
  const rows: { room: Room; kept: Kept }[] = []
  for (const room of chosen) {
    const kept = await measureWithout(room.name)
    rows.push({ room, kept })
    console.error(`${room.name}: ${shownShares(kept).join('; ')}`)
  }
  const [whole] = rows
  if (whole === undefined) return
  const sets = Object.keys(whole.kept.sets)
  const lines: string[][] = []
  for (const { room, kept } of rows) {
    const files = room.files.length === 0 ? '' : `${await linesOf(room.files)}`
    const worst = worstChange(whole.kept, kept)
    const change = room === whole.room ? '' : `${worst.exam} ${worst.points.toFixed(1)}`
    const time = kept.time.toFixed(0)
    lines.push([room.name, files, ...shownShares(kept), change, points(kept.rules), time])
  }
  const head = ['without', 'lines', ...sets.map(setName), 'worst at 8k', 'rules', 'seconds']
  const table = markdownTable({ head, rows: lines })
  console.log(table)
  if (values.record) await record(table)
}

async function openSealed(decision: string): Promise<void> {
  const kept = await measureWithout('nothing', 'sealed')
  const [shares = 'no sessions'] = shownShares(kept)
  const date = new Date().toISOString().slice(0, 10)
  const each = Object.entries(kept.sets['sealed']?.exams ?? {})
  const exams = each.map(([exam, share]) => `${exam} ${points(share)}`).join(', ')
  console.log(`${shares} (at 8k: ${exams})`)
  const line = `- ${date}, ${decision}: ${shares} (at 8k: ${exams})\n`
  await appendFile(join(root, 'bench/exams/sealed/log.md'), line)
}

function setName(set: string): string {
  return `${set === 'open' ? 'new' : set} exams, 1.5k / 3k / 8k / 20k`
}

function shownShares({ sets }: Kept): string[] {
  return Object.values(sets).map(({ shares }) => shares.map(points).join(' / '))
}

/** The exam that lost most at 8k. */
function worstChange(whole: Kept, kept: Kept): { exam: string; points: number } {
  let worst = { exam: '', points: Infinity }
  for (const [set, { exams }] of Object.entries(whole.sets)) {
    for (const [exam, share] of Object.entries(exams)) {
      const change = ((kept.sets[set]?.exams[exam] ?? 0) - share) * 100
      if (change < worst.points) worst = { exam, points: change }
    }
  }
  return worst
}

async function linesOf(files: readonly string[]): Promise<number> {
  let lines = 0
  for (const file of files) {
    const text = await readFile(join(root, 'packages/throughline/src', file), 'utf8')
    lines += text.split('\n').length - 1
  }
  return lines
}

/** Measures in a process of its own, in which the modules are replaced as they load. */
async function measureWithout(room: string, sets = 'old,open'): Promise<Kept> {
  const child = spawn(
    process.execPath,
    [
      '--no-warnings',
      '--import',
      join(import.meta.dirname, 'replace.ts'),
      join(import.meta.dirname, 'measure.ts'),
    ],
    { env: { ...process.env, WITHOUT: room, SETS: sets }, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let output = ''
  for await (const chunk of child.stdout) output += String(chunk)
  const code = child.exitCode ?? (await new Promise((resolve) => child.once('close', resolve)))
  if (code !== 0) throw new Error(`Measuring without ${room} failed.`)
  return JSON.parse(output) as Kept
}

async function record(table: string): Promise<void> {
  const page = join(root, 'docs/evaluation.md')
  const text = await readFile(page, 'utf8')
  const from = text.indexOf(begin)
  const to = text.indexOf(end, from)
  if (from < 0 || to < 0) throw new Error(`${page} has no place for the table.`)
  await writeFile(page, `${text.slice(0, from)}${begin}\n\n${table}\n\n${text.slice(to)}`)
}
