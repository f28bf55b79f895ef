import { loadavg } from 'node:os'
import { ask, loadAgent, type LoadShape } from './agents.ts'
import { spreadOf, type Spread } from '../speed/spread.ts'
import type { Program, ProgramKind } from './program.ts'

/** What the gateway adds to an answer, in milliseconds. */
export interface Latency {
  name: string
  /** Over the same program with compaction off, and over the plain pass-through. */
  added: Record<'off' | 'plain', { p50: Spread; p99: Spread }>
  /** Until the end of an answer, over all rounds. */
  p50: Record<ProgramKind, number>
  p99: Record<ProgramKind, number>
  /** Requests that were compacted: how many, and how long they took. */
  compacted: { count: number; p50: number; max: number }
  /**
   * By what the gateway did for a request: how many there were, and what it added to each over the
   * program that only forwards. Figures of before it was measured have none.
   */
  kinds?: Record<string, { count: number; p50: number; p99: number }>
  requests: number
  load: number
}

/**
 * The very same request to each program, one right after the other and in a new order each time: what
 * else the machine does then meets all of them alike.
 */
export async function measureLatency(
  name: string,
  programs: readonly Program[],
  shape: LoadShape,
  { rounds, requests, atOnce = 2 }: { rounds: number; requests: number; atOnce?: number },
): Promise<Latency> {
  const added = {
    off: { p50: [] as number[], p99: [] as number[] },
    plain: { p50: [] as number[], p99: [] as number[] },
  }
  const all = new Map<ProgramKind, number[]>(programs.map(({ kind }) => [kind, []]))
  const compacted: number[] = []
  const kinds = new Map<string, number[]>()
  const agents = Array.from({ length: atOnce }, () => loadAgent(shape))
  for (let round = -1; round < rounds; round++) {
    const times = new Map<ProgramKind, number[]>(programs.map(({ kind }) => [kind, []]))
    let asked = 0
    const most = round < 0 ? Math.ceil(requests / 4) : requests
    await Promise.all(
      agents.map(async (agent) => {
        while (asked < most) {
          asked += 1
          const body = agent.next()
          const took = new Map<ProgramKind, number>()
          let kind = ''
          for (const program of shuffled(programs)) {
            const { whole, did } = await ask(program.url, body)
            times.get(program.kind)?.push(whole)
            took.set(program.kind, whole)
            if (program.kind === 'gateway') kind = did
            if (did === 'compacted' && round >= 0) compacted.push(whole)
          }
          if (round < 0) continue
          const over = (took.get('gateway') ?? 0) - (took.get('off') ?? 0)
          kinds.set(kind, [...(kinds.get(kind) ?? []), over])
        }
      }),
    )
    if (round < 0) continue
    for (const [kind, these] of times) all.get(kind)?.push(...these)
    for (const other of ['off', 'plain'] as const) {
      for (const share of ['p50', 'p99'] as const) {
        const at = share === 'p50' ? 0.5 : 0.99
        const own = quantile(times.get('gateway') ?? [], at)
        added[other][share].push(own - quantile(times.get(other) ?? [], at))
      }
    }
  }
  const over = (other: 'off' | 'plain') => ({
    p50: spreadOf(added[other].p50),
    p99: spreadOf(added[other].p99),
  })
  const each = (at: number): Record<ProgramKind, number> => ({
    gateway: quantile(all.get('gateway') ?? [], at),
    off: quantile(all.get('off') ?? [], at),
    plain: quantile(all.get('plain') ?? [], at),
  })
  return {
    name,
    added: { off: over('off'), plain: over('plain') },
    p50: each(0.5),
    p99: each(0.99),
    compacted: {
      count: compacted.length,
      p50: quantile(compacted, 0.5),
      max: quantile(compacted, 1),
    },
    kinds: Object.fromEntries(
      [...kinds].map(([kind, over]) => [
        kind,
        { count: over.length, p50: quantile(over, 0.5), p99: quantile(over, 0.99) },
      ]),
    ),
    requests: all.get('gateway')?.length ?? 0,
    load: loadavg()[0] ?? Number.NaN,
  }
}

export function quantile(values: readonly number[], at: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(Math.floor(sorted.length * at), sorted.length - 1)] ?? 0
}

function shuffled<One>(all: readonly One[]): One[] {
  return all
    .map((one) => ({ one, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one)
}
