import { memoryStore, openSession } from 'throughline'
import { codingSession } from './session.ts'
import { printSpread, spreadOf, type Spread } from './spread.ts'
import type { EntryDraft, Session } from 'throughline'

const sample = 200

/** What one step costs: append, gate, measure and the messages of the next request, in microseconds. */
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

/** The work of a step at 10,000 entries against the same at 100. */
export async function benchSteps(rounds = 9): Promise<Spread> {
  const ratios: number[] = []
  const costs: number[] = []
  for (let round = 0; round < rounds + 2; round++) {
    const drafts = codingSession(10_000 + sample, 100)
    const small = await grown(drafts, 100)
    const large = await grown(drafts, 10_000)
    globalThis.gc?.()
    const smallCost = await stepCost(small, drafts.slice(100, 100 + sample))
    const largeCost = await stepCost(large, drafts.slice(10_000))
    if (round < 2) continue
    ratios.push(largeCost / smallCost)
    costs.push(largeCost)
  }
  const ratio = spreadOf(ratios)
  console.log(
    `a step at 10,000 entries: ${printSpread(ratio)} × a step at 100 (goal ≤ 1.5), ${printSpread(spreadOf(costs), 0)} µs`,
  )
  return ratio
}
