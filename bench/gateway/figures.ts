import { printSpread } from '../speed/spread.ts'
import type { Attack } from './attacks.ts'
import type { CostFigures } from './cost.ts'
import type { FleetFigures } from './fleet.ts'
import type { Latency } from './latency.ts'
import type { Memory } from './memory.ts'
import type { ReplicaFigures } from './replicas.ts'
import type { Stall } from './stall.ts'
import type { Streams } from './streams.ts'
import type { Throughput } from './throughput.ts'

/** What one run has measured: `docs/gateway-speed.json`. */
export interface GatewayFigures {
  date: string
  /** Node, system and processors. */
  on: string
  /** When each part ended, and what its run was told: parts may be of several runs. */
  measured: Record<string, { at: string; options: string }>
  /** Tokens of the window in all but the last part. */
  window: number
  throughput: Throughput[]
  /** Of requests that are followed and not compacted; older figures have none. */
  followed?: Throughput[]
  /** Older figures have none. */
  attacks?: Attack[]
  latency: Latency[]
  streams: Streams
  /** Figures of before there was a thread have none. */
  stall?: Stall
  memory: Memory
  replicas: ReplicaFigures[]
  cost: CostFigures[]
  /** Older figures have none. */
  fleet?: FleetFigures
}

/** A goal, what was reached, and whether that is enough. */
export interface Goal {
  what: string
  goal: string
  reached: string
  met: boolean
}

const leastShare = 0.9
const mostAdded = 2
const mostGrowth = 1.05
const mostStall = 0.5
const mostWaited = 100

/** Everything that was to be reached, held against the medians. */
export function goalsOf({
  throughput,
  followed = [],
  attacks = [],
  latency,
  streams,
  memory,
  stall,
}: GatewayFigures): Goal[] {
  const others = { off: 'compaction off', plain: 'a plain pass-through' } as const
  const whole = streams.programs.gateway.whole
  return [
    ...throughput.flatMap(({ name, share }) =>
      (['off', 'plain'] as const).map((other) => ({
        what: `throughput ${name}, against ${others[other]}`,
        goal: `≥ ${leastShare}`,
        reached: share[other].median.toFixed(2),
        met: share[other].median >= leastShare,
      })),
    ),
    ...throughput.flatMap(({ name, cpuShare }) =>
      cpuShare
        ? [
            {
              what: `processor time of a request ${name}, compaction off as a share of the gateway’s`,
              goal: `≥ ${leastShare}`,
              reached: printSpread(cpuShare.off),
              met: cpuShare.off.median >= leastShare,
            },
          ]
        : [],
    ),
    ...followed.flatMap(followedGoals),
    ...attacks.map(({ name, healthz }) => ({
      what: `/healthz under ${name}`,
      goal: `≤ ${mostWaited} ms`,
      reached: `${healthz.toFixed(0)} ms`,
      met: healthz <= mostWaited,
    })),
    ...latency.flatMap(({ name, added }) =>
      (['off', 'plain'] as const).map((other) => ({
        what: `added at p99 ${name}, against ${others[other]}`,
        goal: `≤ ${mostAdded} ms`,
        reached: `${printSpread(added[other].p99, 1)} ms`,
        met: added[other].p99.median <= mostAdded,
      })),
    ),
    {
      what: `${streams.atOnce} streams at once`,
      goal: `${streams.atOnce} whole`,
      reached: `${whole} whole`,
      met: whole === streams.atOnce,
    },
    ...(stall
      ? [
          {
            what: `the event loop while ${stall.messages} messages are compacted, against all in one thread`,
            goal: `≤ ${mostStall}`,
            reached: (stall.programs.gateway.loop.median / stall.programs.here.loop.median).toFixed(
              2,
            ),
            met: stall.programs.gateway.loop.median <= mostStall * stall.programs.here.loop.median,
          },
        ]
      : []),
    {
      what: `memory over ${memory.minutes} minutes, the last third against the second`,
      goal: `≤ ${mostGrowth}`,
      reached: memory.growth.toFixed(3),
      met: memory.growth <= mostGrowth,
    },
  ]
}

/** How many times the processor time of the cheaper one the dearer one may take. */
const mostTimes = 1.5

/** What it costs to follow a request that is not compacted, and what the program costs without that. */
export function followedGoals({ name, programs }: Throughput): Goal[] {
  const { gateway, off, plain } = programs
  const times = (dear: typeof off, cheap: typeof off): number =>
    dear.cpuPerRequest.median / cheap.cpuPerRequest.median
  return [
    { who: 'against compaction off', is: times(gateway, off) },
    { who: 'of compaction off, against a plain pass-through', is: times(off, plain) },
  ].map(({ who, is }) => ({
    what: `processor time of a followed request ${name}, ${who}`,
    goal: `≤ ${mostTimes} times`,
    reached: `${is.toFixed(2)} times`,
    met: is <= mostTimes,
  }))
}
