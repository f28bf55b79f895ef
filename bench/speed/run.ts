import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { benchBlocks } from './blocks.ts'
import { benchCommand } from './command.ts'
import { benchEstimate } from './estimate.ts'
import { benchGrowth } from './growth.ts'
import { benchLangchain } from './langchain.ts'
import { benchLongSession } from './long-session.ts'
import { benchOverhead } from './overhead.ts'
import { speedPage, type Part, type SpeedRecord } from './page.ts'
import { benchOpenPlan, benchPlan, profilePlans } from './plan.ts'
import { benchRead } from './read.ts'
import { benchStall } from './stall.ts'
import { benchSteps } from './steps.ts'
import { benchStore } from './store/bench-store.ts'
import { toldRows } from './tell.ts'
import { worseThan } from './worse.ts'

const usage = `npm run bench:speed -- [options]

  --only A,B    only these parts: plan, open, growth, steps, long, stall, blocks, overhead,
                langchain, command, read, store, estimate
  --gigabyte    recall in a gigabyte of text instead of a tenth of one
  --check       fail if a ratio got worse than docs/speed.json says, by more than its spread
  --record      write docs/speed.json and docs/speed.md; parts that were not measured stay`

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    gigabyte: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const benches: Readonly<Record<string, () => Promise<unknown>>> = {
  plan: () => benchPlan(),
  open: () => benchOpenPlan(),
  growth: () => benchGrowth(),
  steps: () => benchSteps(),
  long: () => benchLongSession(),
  stall: () => benchStall(),
  blocks: () => benchBlocks(),
  overhead: () => benchOverhead(),
  langchain: () => benchLangchain(),
  command: () => benchCommand(),
  read: () => benchRead(),
  store: () => benchStore({ recall: values.gigabyte ? 1e9 : 1e8 }),
  estimate: () => benchEstimate(),
}

const docs = join(import.meta.dirname, '../../docs')
const file = join(docs, 'speed.json')

if (values.help) console.log(usage)
else await main()

async function main(): Promise<void> {
  const names = values.only?.split(',') ?? Object.keys(benches)
  const unknown = names.find((name) => !(name in benches))
  if (unknown !== undefined) throw new Error(`There is no part named ${unknown}.\n\n${usage}`)
  const parts: Part[] = []
  for (const name of names) {
    const before = toldRows().length
    await benches[name]?.()
    const rows = toldRows().slice(before)
    if (rows.length > 0) parts.push({ name, ended: now(), load: loadavg()[0] ?? 0, rows })
  }
  if (values.check) check(parts)
  if (values.record) await record(parts)
}

function check(measured: readonly Part[]): void {
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as SpeedRecord
  const worse = worseThan(recorded, measured)
  for (const { what, before, now } of worse) {
    console.error(`WORSE: ${what}: ${now.toFixed(2)} ×, recorded ${before.toFixed(2)} ×`)
  }
  process.exitCode = worse.length > 0 ? 1 : 0
}

function now(): string {
  return `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

async function record(measured: readonly Part[]): Promise<void> {
  const earlier = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as SpeedRecord)
    : undefined
  const all = new Map([...(earlier?.parts ?? []), ...measured].map((part) => [part.name, part]))
  const isPlanned = measured.some(({ name }) => name === 'plan')
  const recorded: SpeedRecord = {
    machine: `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} processors`,
    parts: Object.keys(benches).flatMap((name) => all.get(name) ?? []),
    profiles: earlier && !isPlanned ? earlier.profiles : await profilePlans(),
  }
  const text = `${JSON.stringify(recorded, rounded, 2)}\n`
  writeFileSync(file, text)
  writeFileSync(join(docs, 'speed.md'), speedPage(JSON.parse(text) as SpeedRecord))
}

function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(4)) : value
}
