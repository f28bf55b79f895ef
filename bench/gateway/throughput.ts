import { loadavg } from 'node:os'
import { ask, loadAgent, type LoadShape } from './agents.ts'
import { spreadOf, type Spread } from '../speed/spread.ts'
import type { Program, ProgramKind } from './program.ts'

/** What a program gets done, by the clock and by its own processor time. */
interface ThroughputFigures {
  /** Requests in a second of the clock, on a machine that client and provider share. */
  requestsPerSecond: Spread
  /** Milliseconds of processor time for a request. */
  cpuPerRequest: Spread
}

export interface Throughput {
  name: string
  /** Bytes of a request, on average. */
  bytes: number
  programs: Record<ProgramKind, ThroughputFigures>
  /** The gateway’s requests in a second as a share of the other’s. */
  share: Record<'off' | 'plain', Spread>
  /** The other’s processor time for a request as a share of the gateway’s; older figures have none. */
  cpuShare?: Record<'off' | 'plain', Spread>
  /** How often the gateway compacted, for each request. */
  compactions: number
  load: number
}

const atOnce = 16

/** All programs in turn, for some seconds each, round after round. */
export async function measureThroughput(
  name: string,
  programs: readonly Program[],
  shape: LoadShape,
  { warm, rounds, seconds }: { warm: number; rounds: number; seconds: number },
): Promise<Throughput> {
  const all = new Map(
    programs.map(({ kind }) => [kind, { rates: [] as number[], cpus: [] as number[] }]),
  )
  const shares = { off: [] as number[], plain: [] as number[] }
  const cpuShares = { off: [] as number[], plain: [] as number[] }
  const agents = new Map(
    programs.map(({ kind }) => [kind, Array.from({ length: atOnce }, () => loadAgent(shape))]),
  )
  let bytes = 0
  let requests = 0
  let compactions = 0
  let followed = 0
  for (let round = -warm; round < rounds; round++) {
    const rates = new Map<ProgramKind, number>()
    const cpus = new Map<ProgramKind, number>()
    for (const program of turned(programs, round)) {
      const before = await program.sample()
      const begun = performance.now()
      const until = begun + seconds * 1_000
      let done = 0
      const work = (agents.get(program.kind) ?? []).map(async (agent) => {
        while (performance.now() < until) {
          const body = agent.next()
          const { did } = await ask(program.url, body)
          done += 1
          bytes += body.length
          requests += 1
          if (program.kind !== 'gateway') continue
          followed += 1
          if (did === 'compacted') compactions += 1
        }
      })
      await Promise.all(work)
      const took = performance.now() - begun
      const after = await program.sample()
      // The first rounds warm up.
      if (round < 0) continue
      const rate = (done / took) * 1_000
      rates.set(program.kind, rate)
      all.get(program.kind)?.rates.push(rate)
      const cpu = (after.cpu - before.cpu) / done
      cpus.set(program.kind, cpu)
      all.get(program.kind)?.cpus.push(cpu)
    }
    const own = rates.get('gateway')
    for (const other of ['off', 'plain'] as const) {
      const rate = rates.get(other)
      if (own !== undefined && rate !== undefined) shares[other].push(own / rate)
      const [mine, theirs] = [cpus.get('gateway'), cpus.get(other)]
      if (mine !== undefined && theirs !== undefined) cpuShares[other].push(theirs / mine)
    }
  }
  const figures = (kind: ProgramKind): ThroughputFigures => ({
    requestsPerSecond: spreadOf(all.get(kind)?.rates ?? []),
    cpuPerRequest: spreadOf(all.get(kind)?.cpus ?? []),
  })
  return {
    name,
    bytes: Math.round(bytes / requests),
    programs: { gateway: figures('gateway'), off: figures('off'), plain: figures('plain') },
    share: { off: spreadOf(shares.off), plain: spreadOf(shares.plain) },
    cpuShare: { off: spreadOf(cpuShares.off), plain: spreadOf(cpuShares.plain) },
    compactions: compactions / Math.max(followed, 1),
    load: loadavg()[0] ?? Number.NaN,
  }
}

/** Another one first each time, so that none is always behind the same one. */
function turned<One>(all: readonly One[], by: number): One[] {
  const at = ((by % all.length) + all.length) % all.length
  return [...all.slice(at), ...all.slice(0, at)]
}
