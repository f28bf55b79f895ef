import { availableParallelism, loadavg } from 'node:os'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { followedGoals, goalsOf, type GatewayFigures } from './figures.ts'
import { measureAttacks } from './attacks.ts'
import { measureCost } from './cost.ts'
import { measureFleet } from './fleet.ts'
import { measureLatency } from './latency.ts'
import { measureMemory } from './memory.ts'
import { measureReplicas } from './replicas.ts'
import { measureStall } from './stall.ts'
import { measureStreams } from './streams.ts'
import { measureThroughput } from './throughput.ts'
import { sizingPage } from './sizing-page.ts'
import { startLoadProvider, startProgram, type Program } from './program.ts'
import type { LoadShape } from './agents.ts'

const usage = `Measures the gateway against the same program with compaction off, and against a plain
pass-through, all in one run (npm run bench:gateway).

  --minutes N   how long the memory is watched (default: 1; 10 is what is to be recorded)
  --rounds N    rounds of the figures that are compared (default: 5)
  --warm N      rounds of the throughput that don't count (default: 1): V8 is still compiling the
                gateway's code after 10,000 requests, and a server runs for days
  --only A,B    throughput, latency, streams, stall, memory, replicas, cost, followed, attacks,
                fleet
                (default: all)
  --record      write docs/gateway-speed.json and docs/gateway-sizing.md

`

const docs = join(import.meta.dirname, '../../docs')
const record = join(docs, 'gateway-speed.json')
const parts = ['throughput', 'latency', 'streams', 'stall', 'memory', 'replicas', 'cost'] as const
type Part = (typeof parts)[number] | 'followed' | 'attacks' | 'fleet'
const named: readonly string[] = [...parts, 'followed', 'attacks', 'fleet']

const window = 64_000
const kib = 1_024
const step = 6 * kib
/** What an agent’s session is like, in bytes: a window is about 256 KiB. */
const shapes: Readonly<Record<string, LoadShape>> = {
  'far below the window': { from: 8 * kib, to: 48 * kib, step },
  'over a whole life': { from: 8 * kib, to: 512 * kib, step },
  'at the window and beyond': { from: 200 * kib, to: 512 * kib, step },
}
/** Sessions that are followed and not compacted: they grow a little, within the last part of their window. */
const followed: Readonly<Record<string, { shape: LoadShape; tokens: number }>> = {
  'of 63 KiB': { shape: { from: 50 * kib, to: 76 * kib, step: 2 * kib }, tokens: 32_000 },
  'of 312 KiB': { shape: { from: 250 * kib, to: 374 * kib, step }, tokens: 150_000 },
  'of 2.9 MiB': { shape: { from: 2_700 * kib, to: 3_200 * kib, step }, tokens: 1_250_000 },
}
/** Long steps from half of the window on: each agent goes through it in ten requests. */
const fleetShape: LoadShape = { from: 128 * kib, to: 512 * kib, step: 24 * kib }
const life = shapes['over a whole life'] as LoadShape

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '5' },
    warm: { type: 'string', default: '1' },
    only: { type: 'string' },
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

if (values.help) console.log(usage)
else await run()

async function run(): Promise<void> {
  const only = values.only?.split(',') ?? named
  const unknown = only.find((name) => !named.includes(name))
  if (unknown !== undefined) throw new Error(`--only: ${named.join(', ')}, not ${unknown}.`)
  const rounds = Number(values.rounds)
  const minutes = Number(values.minutes)
  const warm = Number(values.warm)
  if (!(rounds >= 1) || !(minutes > 0) || !(warm >= 0))
    throw new Error('--rounds, --minutes and --warm are numbers.')
  const before = existsSync(record)
    ? (JSON.parse(readFileSync(record, 'utf8')) as GatewayFigures)
    : undefined
  const figures: Partial<GatewayFigures> = {
    ...before,
    date: new Date().toISOString().slice(0, 10),
    on: `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} processors`,
    window,
  }
  const measured = { ...before?.measured }
  const options = process.argv.slice(2).join(' ')
  const provider = await startLoadProvider()
  const { url: upstream } = provider
  const has = (part: Part): boolean => only.includes(part)
  say(`The machine’s load before: ${(loadavg()[0] ?? 0).toFixed(1)}.`)
  if (has('throughput')) {
    figures.throughput = await withPrograms(upstream, (programs) =>
      each((name, shape) => measureThroughput(name, programs, shape, { warm, rounds, seconds: 3 })),
    )
    for (const one of figures.throughput) console.log(lines(one))
  }
  if (has('followed')) {
    figures.followed = []
    for (const [name, { shape, tokens }] of Object.entries(followed)) {
      const one = await withPrograms(
        upstream,
        (programs) => measureThroughput(name, programs, shape, { warm, rounds, seconds: 3 }),
        tokens,
      )
      figures.followed.push(one)
      console.log(lines(one))
      for (const { what, goal, reached, met } of followedGoals(one)) {
        console.log(`${met ? 'met   ' : 'MISSED'}  ${what}: ${reached} (goal ${goal})`)
      }
    }
  }
  if (has('attacks')) {
    figures.attacks = await measureAttacks(upstream, window)
    for (const one of figures.attacks) console.log(lines(one))
  }
  if (has('latency')) {
    figures.latency = await withPrograms(upstream, (programs) =>
      each((name, shape) => measureLatency(name, programs, shape, { rounds, requests: 200 })),
    )
    for (const one of figures.latency) console.log(lines(one))
  }
  if (has('streams')) {
    figures.streams = await withPrograms(upstream, (programs) =>
      measureStreams(programs, { atOnce: 500, seconds: 12 }),
    )
    console.log(lines(figures.streams))
  }
  if (has('stall')) {
    const long = { rounds: rounds + 2, messages: 1_000, streams: 40 }
    figures.stall = await measureStall({ upstream, window }, long)
    console.log(lines(figures.stall))
  }
  if (has('memory')) {
    const program = await startProgram('gateway', { upstream, window })
    figures.memory = await measureMemory(program, minutes)
    await program.close()
    const { rss, growth, requests, load } = figures.memory
    console.log(lines({ minutes, requests, growth, first: rss[0], last: rss.at(-1), load }))
  }
  if (has('replicas')) {
    figures.replicas = await measureReplicas(life, { upstream, window, seconds: 8 })
    for (const one of figures.replicas) console.log(lines(one))
  }
  if (has('fleet')) {
    figures.fleet = await measureFleet(fleetShape, { upstream, window, requests: 600 })
    console.log(lines(figures.fleet))
  }
  await provider.close()
  if (has('cost')) {
    figures.cost = await measureCost([10, 120, 290, 330, 1_800])
    for (const one of figures.cost) console.log(lines(one))
  }
  say(`The machine’s load after: ${(loadavg()[0] ?? 0).toFixed(1)}.`)
  const at = new Date().toISOString().slice(0, 16)
  for (const part of only) measured[part] = { at, options }
  figures.measured = measured
  if (!isWhole(figures)) return say('Nothing is recorded before every part has been measured.')
  for (const { what, goal, reached, met } of goalsOf(figures)) {
    console.log(`${met ? 'met   ' : 'MISSED'}  ${what}: ${reached} (goal ${goal})`)
  }
  if (!values.record) return
  writeFileSync(record, `${JSON.stringify(figures, rounded, 2)}\n`)
  const page = join(docs, 'gateway-sizing.md')
  writeFileSync(page, sizingPage(readRecord()))
  execFileSync('oxfmt', [record, page])
  say(`Recorded in ${record}`)
}

function readRecord(): GatewayFigures {
  return JSON.parse(readFileSync(record, 'utf8')) as GatewayFigures
}

async function each<Figures>(
  measure: (name: string, shape: LoadShape) => Promise<Figures>,
): Promise<Figures[]> {
  const all: Figures[] = []
  for (const [name, shape] of Object.entries(shapes)) all.push(await measure(name, shape))
  return all
}

async function withPrograms<Figures>(
  upstream: string,
  measure: (programs: readonly Program[]) => Promise<Figures>,
  tokens = window,
): Promise<Figures> {
  const programs = await Promise.all(
    (['gateway', 'off', 'plain'] as const).map((kind) =>
      startProgram(kind, { upstream, window: tokens }),
    ),
  )
  try {
    return await measure(programs)
  } finally {
    await Promise.all(programs.map((program) => program.close()))
  }
}

function isWhole(figures: Partial<GatewayFigures>): figures is GatewayFigures {
  return parts.every((part) => figures[part] !== undefined)
}

function lines(figures: object): string {
  return JSON.stringify(figures, rounded)
}

/** Digits that mean something. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(4)) : value
}

function say(text: string): void {
  console.error(text)
}
