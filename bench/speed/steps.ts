import { memoryStore, openSession } from 'throughline'
import { codingSession } from './session.ts'
import { spreadOf, type Spread } from './spread.ts'
import { exactly, tell } from './tell.ts'
import type { EntryDraft, Session } from 'throughline'

const sample = 400
const turn = 50
const warmUp = 2

/** The cost of one step besides its model: append and gate, in microseconds of processor time. */
async function gateCost(session: Session, drafts: readonly EntryDraft[]): Promise<number> {
  const before = process.threadCpuUsage()
  for (const draft of drafts) {
    await session.append(draft)
    await session.fit()
  }
  return since(before) / drafts.length
}

/** Microseconds of processor time of this thread: the machine may be busy with other things. */
function since(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before)
  return user + system
}

/**
 * The same including the array of the next request: a copy of as many pointers as there are
 * messages.
 */
async function stepCost(session: Session, drafts: readonly EntryDraft[]): Promise<number> {
  const before = process.threadCpuUsage()
  for (const draft of drafts) {
    await session.append(draft)
    await session.fit()
    session.messages()
  }
  return since(before) / drafts.length
}

/** What a step takes at least: a bare copy of the array that the session gives away. */
function copyCost(session: Session): number {
  const messages = session.messages()
  const before = process.threadCpuUsage()
  let copied = 0
  for (let time = 0; time < sample; time++) copied += messages.slice().length
  if (copied === 0) throw new Error('Nothing was copied.')
  return since(before) / sample
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
  const { ratio: gate } = await ratioOf(gateCost, rounds)
  const { ratio: step, withCopy } = await ratioOf(stepCost, rounds)
  tell({
    what: 'a step at 10,000 entries by one at 100: append and gate',
    figure: gate,
    unit: '×',
    goal: { most: 1.5 },
    limit: { figure: exactly(1), what: 'the same work' },
  })
  tell({
    what: 'the same with the array of the request',
    figure: step,
    unit: '×',
    goal: { most: 1.2 },
    limit: { figure: withCopy, what: 'the same work, and a bare copy of the longer array' },
  })
  return { gate, step }
}

type Cost = (session: Session, drafts: readonly EntryDraft[]) => Promise<number>

async function ratioOf(cost: Cost, rounds: number): Promise<{ ratio: Spread; withCopy: Spread }> {
  const ratios: number[] = []
  const copies: number[] = []
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
    if (round < warmUp) continue
    ratios.push(costs.large / costs.small)
    const each = costs.small / (sample / turn)
    copies.push((each + copyCost(large) - copyCost(small)) / each)
  }
  return { ratio: spreadOf(ratios), withCopy: spreadOf(copies) }
}

if (process.argv[1] === import.meta.filename) await benchSteps()
