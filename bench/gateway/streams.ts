import { loadavg } from 'node:os'
import { ask, loadAgent } from './agents.ts'
import { quantile } from './latency.ts'
import type { Program, ProgramKind } from './program.ts'

/** What many streams at once cost a program. */
interface StreamFigures {
  /** Answers that came whole. */
  whole: number
  /** How late an event comes after the provider has written it, in milliseconds. */
  late: { p50: number; p99: number }
  /** Share of one processor. */
  cpu: number
  /** Bytes that the process takes more while the streams run, for each of them. */
  memory: number
}

export interface Streams {
  atOnce: number
  eventsPerSecond: number
  /** Bytes of a request. */
  bytes: number
  programs: Record<ProgramKind, StreamFigures>
  load: number
}

const pace = 100

/** Streams that run at the same time, at the pace of a model, one program after the other. */
export async function measureStreams(
  programs: readonly Program[],
  { atOnce, seconds }: { atOnce: number; seconds: number },
): Promise<Streams> {
  const kib = 1_024
  const bodies = Array.from({ length: atOnce }, () =>
    loadAgent({ from: 150 * kib, to: 500 * kib, step: 6 * kib }).next(),
  )
  const all = new Map<ProgramKind, StreamFigures>()
  for (const program of programs) {
    const before = await program.sample()
    const events = (seconds * 1_000) / pace
    const begun = performance.now()
    // They begin one after the other, as agents do, and then all of them run.
    const running = bodies.map(async (body, index) => {
      await new Promise((resolve) => setTimeout(resolve, (index / atOnce) * 4_000))
      return ask(program.url, body, { events, pace })
    })
    const settled = Promise.allSettled(running)
    await new Promise((resolve) => setTimeout(resolve, 4_000 + (seconds * 1_000) / 2))
    const during = await program.sample()
    const answers = await settled
    const took = performance.now() - begun
    const after = await program.sample()
    const whole = answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const lates = whole.flatMap(({ lates: each }) => each)
    all.set(program.kind, {
      whole: whole.length,
      late: { p50: quantile(lates, 0.5), p99: quantile(lates, 0.99) },
      cpu: (after.cpu - before.cpu) / took,
      memory: Math.max(during.rss - before.rss, 0) / atOnce,
    })
  }
  const of = (kind: ProgramKind): StreamFigures => all.get(kind) as StreamFigures
  return {
    atOnce,
    eventsPerSecond: (atOnce * 1_000) / pace,
    bytes: Math.round(bodies.reduce((sum, body) => sum + body.length, 0) / atOnce),
    programs: { gateway: of('gateway'), off: of('off'), plain: of('plain') },
    load: loadavg()[0] ?? Number.NaN,
  }
}
