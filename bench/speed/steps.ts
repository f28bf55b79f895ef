import { memoryStore, openSession } from 'throughline'
import { atMost } from './goal.ts'
import { codingSession } from './session.ts'
import { printSpread, spreadOf, type Spread } from './spread.ts'
import type { EntryDraft, Session } from 'throughline'

const sample = 400
const turn = 50
const warmUp = 2

/** The cost of one step besides its model: append and gate, in microseconds. */
async function gateCost(session: Session, drafts: readonly EntryDraft[]): Promise<number> {
  const before = performance.now()
  for (const draft of drafts) {
    await session.append(draft)
    await session.fit()
  }
  return ((performance.now() - before) * 1_000) / drafts.length
}

/**
 * The same including the array of the next request: a copy of as many pointers as there are
 * messages.
 */
async function stepCost(session: Session, drafts: readonly EntryDraft[]): Promise<number> {
  const before = performance.now()
  for (const draft of drafts) {
    await session.append(draft)
    await session.fit()
    session.messages()
  }
  return ((performance.now() - before) * 1_000) / drafts.length
}

async function grown(drafts: readonly EntryDraft[], entries: number): Promise<Session> {
  const session = await openSession({
    store: memoryStore(),
    id: 'bench',
    window: { context: 10_000_000 },
  })
  await session.append(...drafts.slice(0, entries))
  await session.fit()
  session.messages()
  return session
}

/** The work of a step at 10,000 entries divided by that at 100. */
export async function benchSteps(rounds = 15): Promise<{ gate: Spread; step: Spread }> {
  const gate = await ratioOf(gateCost, rounds)
  const step = await ratioOf(stepCost, rounds)
  console.log(
    `a step at 10,000 entries divided by a step at 100: append and gate ${printSpread(gate)} ${atMost(1.5, gate)}, with the array of the request ${printSpread(step)} ${atMost(1.2, step)}`,
  )
  return { gate, step }
}

type Cost = (session: Session, drafts: readonly EntryDraft[]) => Promise<number>

async function ratioOf(cost: Cost, rounds: number): Promise<Spread> {
  const ratios: number[] = []
  for (let round = 0; round < rounds + warmUp; round++) {
    const drafts = codingSession(10_000 + sample, 100)
    const small = await grown(drafts, 100)
    const large = await grown(drafts, 10_000)
    globalThis.gc?.()
    // Alternately, so that neither gets the warmer half of the round.
    const costs = { small: 0, large: 0 }
    for (let at = 0; at < sample; at += turn) {
      costs.small += await cost(small, drafts.slice(100 + at, 100 + at + turn))
      costs.large += await cost(large, drafts.slice(10_000 + at, 10_000 + at + turn))
    }
    if (round >= warmUp) ratios.push(costs.large / costs.small)
  }
  return spreadOf(ratios)
}

if (process.argv[1] === import.meta.filename) await benchSteps()
