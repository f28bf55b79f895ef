import { loadavg } from 'node:os'
import { ask, loadAgent } from './agents.ts'
import { quantile } from './latency.ts'
import { spreadOf, type Spread } from '../speed/spread.ts'
import { startProgram } from './program.ts'

/** How long a program keeps everyone else waiting while it compacts one long session. */
interface StallFigures {
  /** The longest time for which its event loop ran nothing else, in milliseconds. */
  loop: Spread
  /** How late an event of another stream came meanwhile, in milliseconds. */
  late: Spread
  /** How long the long request itself took, in milliseconds. */
  took: Spread
}

export interface Stall {
  /** Messages of the long session, and bytes of its request. */
  messages: number
  bytes: number
  streams: number
  /** With the thread, and with all work in one. */
  programs: Record<'gateway' | 'here', StallFigures>
  load: number
}

const kinds = ['gateway', 'here'] as const
const pace = 20

/** A session that is compacted at once, while others stream; both programs in turn, round after round. */
export async function measureStall(
  { upstream, window }: { upstream: string; window: number },
  { rounds, messages, streams }: { rounds: number; messages: number; streams: number },
): Promise<Stall> {
  const programs = await Promise.all(kinds.map((kind) => startProgram(kind, { upstream, window })))
  const all = new Map(
    kinds.map((kind) => [
      kind,
      { loop: [] as number[], late: [] as number[], took: [] as number[] },
    ]),
  )
  // A step is a call and its result.
  const step = 1_000
  const shape = { from: (messages / 2) * (step + 300), to: Infinity, step }
  let bytes = 0
  try {
    for (let round = -1; round < rounds; round++) {
      for (const program of round % 2 === 0 ? programs : programs.toReversed()) {
        const body = loadAgent(shape).next()
        bytes = body.length
        const small = loadAgent({ from: 4_096, to: 8_192, step: 1_024 }).next()
        const running = Array.from({ length: streams }, () =>
          ask(program.url, small, { events: 150, pace }),
        )
        await new Promise((resolve) => setTimeout(resolve, 800))
        // What was before does not count.
        await program.sample()
        const { whole, did } = await ask(program.url, body)
        if (did !== 'compacted') throw new Error(`The long session was not compacted, but ${did}.`)
        const { stalled } = await program.sample()
        const answers = await Promise.all(running)
        if (round < 0) continue
        const figures = all.get(program.kind)
        figures?.loop.push(stalled)
        figures?.took.push(whole)
        figures?.late.push(Math.max(...answers.map(({ lates }) => quantile(lates, 1))))
      }
    }
  } finally {
    await Promise.all(programs.map((program) => program.close()))
  }
  const of = (kind: 'gateway' | 'here'): StallFigures => {
    const { loop = [], late = [], took = [] } = all.get(kind) ?? {}
    return { loop: spreadOf(loop), late: spreadOf(late), took: spreadOf(took) }
  }
  return {
    messages,
    bytes,
    streams,
    programs: { gateway: of('gateway'), here: of('here') },
    load: loadavg()[0] ?? Number.NaN,
  }
}
