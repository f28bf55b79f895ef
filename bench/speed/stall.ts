import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as passed } from 'node:timers/promises'
import { defaultPolicy, memoryStore, openSession } from 'throughline'
import { scriptedSummarizer } from 'throughline/testing'
import { codingSession } from './session.ts'
import { spreadOf, type Spread } from './spread.ts'
import { exactly, tell } from './tell.ts'
import type { Policy, Session, Summarizer } from 'throughline'

/** How long an agent waits for a compaction, in milliseconds. */
export interface StallFigures {
  prepared: Spread
  unprepared: Spread
  /**
   * The longest time during which the process did nothing else while a summary was being prepared.
   */
  blocked: Spread
}

const takes = 300
const context = 1_000_000
const warmUp = 1

/** A slow model. */
function slowSummarizer(): Summarizer {
  const { name, summarize } = scriptedSummarizer('good')
  return {
    name,
    summarize: async (request, options) => {
      await passed(takes)
      return summarize(request, options)
    },
  }
}

// A summary is always requested, whatever could be pruned.
const unprepared: Policy = {
  ...defaultPolicy,
  prune: () => undefined,
  prepareAt: (usable) => usable,
}
const prepared: Policy = { ...unprepared, prepareAt: defaultPolicy.prepareAt }

/** One session, from 70% of the usable window to its first compaction. */
async function stallUnder(policy: Policy): Promise<{ stall: number; blocked: number }> {
  let ready: () => void = () => {}
  const finished = new Promise<void>((resolve) => (ready = resolve))
  let begun = false
  const session = await openSession({
    store: memoryStore(),
    id: 'bench',
    window: { context },
    policy,
    summarizer: slowSummarizer(),
    onEvent: ({ type }) => {
      if (type === 'preparation-started') begun = true
      if (type === 'preparation-finished') ready()
    },
  })
  // Said just now: behind a cold cache, a compaction that is due soon is made at once.
  const at = Date.now()
  const drafts = codingSession(12_000, 100).map((draft) => ({ ...draft, at }))
  const { usable } = session.budget()
  let said = 0
  const grow = (entries: number): ReturnType<Session['append']> =>
    session.append(...drafts.slice(said, (said += entries)))
  while (session.measure().tokens < usable * 0.7) await grow(20)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  globalThis.gc?.()
  delay.enable()
  await session.fit()
  if (policy === prepared) await finished
  delay.disable()
  if (begun !== (policy === prepared)) throw new Error('The policy was not heard.')
  for (;;) {
    await grow(2)
    const before = performance.now()
    const { action } = await session.fit()
    if (action === 'summary') {
      return { stall: performance.now() - before, blocked: delay.max / 1e6 }
    }
  }
}

/**
 * How long the agent waits for a compaction of a session of 10,000 entries and a million tokens,
 * with a summarizer that takes 300 ms, with and without a prepared summary.
 */
export async function benchStall(rounds = 7): Promise<StallFigures> {
  const stalls = { prepared: [] as number[], unprepared: [] as number[] }
  const blocked: number[] = []
  for (let round = 0; round < rounds + warmUp; round++) {
    const late = await stallUnder(unprepared)
    const early = await stallUnder(prepared)
    if (round < warmUp) continue
    stalls.unprepared.push(late.stall)
    stalls.prepared.push(early.stall)
    blocked.push(early.blocked)
  }
  const figures = {
    prepared: spreadOf(stalls.prepared),
    unprepared: spreadOf(stalls.unprepared),
    blocked: spreadOf(blocked),
  }
  const waits = `an agent waits for its compaction at 1M tokens, summarizer ${takes} ms`
  tell({
    what: `${waits}, prepared`,
    figure: figures.prepared,
    unit: 'ms',
    goal: { most: 50 },
    limit: { figure: exactly(0), what: 'all is ready' },
    digits: 1,
  })
  tell({
    what: `${waits}, not prepared`,
    figure: figures.unprepared,
    unit: 'ms',
    limit: { figure: exactly(takes), what: 'the summarizer alone' },
    digits: 0,
  })
  tell({
    what: '  preparing it blocks the process at a time for at most',
    figure: figures.blocked,
    unit: 'ms',
    limit: { figure: exactly(0), what: 'work that can always give way' },
    digits: 1,
  })
  return figures
}

if (process.argv[1] === import.meta.filename) await benchStall()
