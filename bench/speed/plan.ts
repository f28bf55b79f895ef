import { compactLog, memoryStore, openSession } from 'throughline'
import { chronological } from 'throughline/engine'
import { atMost } from './goal.ts'
import { codingSession } from './session.ts'
import { printSpread, spreadOf, type Spread } from './spread.ts'
import type { Entry } from 'throughline'
import type { Chronological } from 'throughline/engine'

/** Copies every string, so that no cache of an earlier round knows the log. */
function freshLog(entries: number, tokensPerEntry: number): Chronological {
  const drafts = structuredClone(codingSession(entries, tokensPerEntry))
  return chronological(drafts.map((draft, index): Entry => ({ ...draft, seq: index + 1 })))
}

/**
 * Planning a compaction of a session of 10,000 entries and a million tokens, cold: measure,
 * prune, cut, index, summary and render, against one `JSON.stringify` of the same messages.
 */
export async function benchPlan(rounds = 9): Promise<Spread> {
  const ratios: number[] = []
  const planned: number[] = []
  for (let round = 0; round < rounds + 2; round++) {
    const log = freshLog(10_000, 100)
    const messages = log.flatMap((entry) => (entry.kind === 'message' ? [entry.message] : []))
    globalThis.gc?.()
    const stringify = await processorTime(() => JSON.stringify(messages))
    globalThis.gc?.()
    const took = await processorTime(async () => {
      const { report } = await compactLog(log, { window: { context: 200_000 }, trigger: 'manual' })
      if (report.action !== 'summary') throw new Error(`nothing was compacted: ${report.action}`)
    })
    // The first rounds warm up the compiler, on both sides.
    if (round < 2) continue
    ratios.push(took / stringify)
    planned.push(took / 1_000)
  }
  const ratio = spreadOf(ratios)
  console.log(
    `plan, index, summary and render of 10,000 entries, 1M tokens: ${printSpread(ratio)} × JSON.stringify ${atMost(5, ratio)}, ${printSpread(spreadOf(planned), 0)} ms`,
  )
  return ratio
}

/**
 * The same in a session that was open while it grew: what was said is counted and its facts are
 * folded in.
 */
export async function benchOpenPlan(rounds = 7): Promise<Spread> {
  const ratios: number[] = []
  for (let round = 0; round < rounds + 2; round++) {
    const drafts = structuredClone(codingSession(10_000, 100))
    const session = await openSession({
      store: memoryStore(),
      id: 'bench',
      window: { context: 4_000_000 },
    })
    for (let at = 0; at < drafts.length; at += 2) {
      await session.append(...drafts.slice(at, at + 2))
      await session.fit()
    }
    const messages = session.messages()
    globalThis.gc?.()
    const stringify = await processorTime(() => JSON.stringify(messages))
    globalThis.gc?.()
    const took = await processorTime(async () => {
      const { action } = await session.compact()
      if (action !== 'summary') throw new Error(`nothing was compacted: ${action}`)
      session.messages()
    })
    if (round >= 2) ratios.push(took / stringify)
  }
  const ratio = spreadOf(ratios)
  console.log(
    `the same in a session that was open: ${printSpread(ratio)} × JSON.stringify ${atMost(0.5, ratio)}`,
  )
  return ratio
}

/** Microseconds of processor time of all threads: garbage is collected by others than this one. */
async function processorTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

if (process.argv[1] === import.meta.filename) {
  await benchPlan()
  await benchOpenPlan()
}
