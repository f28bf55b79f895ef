import { loadavg } from 'node:os'
import { ask, loadAgent } from './agents.ts'
import { quantile } from './latency.ts'
import type { Program } from './program.ts'

/** What a process holds while it serves new sessions without an end. */
export interface Memory {
  minutes: number
  requests: number
  /** Bytes that it can reach after a collection, at each sample: what grows here, leaks. */
  held: number[]
  /** Bytes of the process. */
  rss: number[]
  /** The median of the last third, as a multiple of that of the second. */
  growth: number
  load: number
}

const kib = 1_024

/** Agents that end and others that begin, until the time is over; the memory is read all the while. */
export async function measureMemory(program: Program, minutes: number): Promise<Memory> {
  const until = performance.now() + minutes * 60_000
  const held: number[] = []
  const rss: number[] = []
  let requests = 0
  const over = new AbortController()
  // Short lives: in a minute more sessions come and go than are kept at hand.
  const work = Array.from({ length: 12 }, async () => {
    const agent = loadAgent({ from: 140 * kib, to: 230 * kib, step: 12 * kib })
    while (!over.signal.aborted) {
      await ask(program.url, agent.next(), { events: 5 })
      requests += 1
    }
  })
  const all = Promise.all(work)
  const samples = 30
  for (let index = 1; index <= samples; index++) {
    const next = until - minutes * 60_000 * (1 - index / samples)
    await Promise.race([
      all,
      new Promise((resolve) => setTimeout(resolve, Math.max(next - performance.now(), 0))),
    ])
    const sample = await program.sample()
    held.push(sample.held)
    rss.push(sample.rss)
  }
  over.abort()
  await all
  const third = samples / 3
  const last = quantile(rss.slice(-third), 0.5)
  return {
    minutes,
    requests,
    held,
    rss,
    growth: last / quantile(rss.slice(third, 2 * third), 0.5),
    load: loadavg()[0] ?? Number.NaN,
  }
}
