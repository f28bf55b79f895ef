import { memoryStore, openSession } from 'throughline'
import { codingSession } from './session.ts'
import { collectYoung } from './limit.ts'
import { spreadOf, type Spread } from './spread.ts'
import { exactly, tell } from './tell.ts'
import type { EntryDraft, Session } from 'throughline'

const sample = 400
const warmUp = 1

// The clock of a thread may go in jumps of a few milliseconds, in which a hundred steps have room:
// each side goes on with so many sessions in a round.
const sessions = 6
const copyTimes = 2_000

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
  for (let time = 0; time < copyTimes; time++) copied += messages.slice().length
  if (copied === 0) throw new Error('Nothing was copied.')
  return since(before) / copyTimes
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
export async function benchSteps(rounds = 7): Promise<{ gate: Spread; step: Spread }> {
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
  const drafts = codingSession(10_000 + sample, 100)
  const costOf = async (entries: number): Promise<{ each: number; copy: number }> => {
    const session = await grown(drafts, entries)
    await collectYoung()
    const each = await cost(session, drafts.slice(entries, entries + sample))
    return { each, copy: copyCost(session) }
  }
  for (let round = 0; round < rounds + warmUp; round++) {
    const sum = { small: 0, large: 0, copied: 0 }
    for (let session = 0; session < sessions; session++) {
      const small = await costOf(100)
      const large = await costOf(10_000)
      sum.small += small.each
      sum.large += large.each
      sum.copied += large.copy - small.copy
    }
    if (round < warmUp) continue
    ratios.push(sum.large / sum.small)
    copies.push((sum.small + sum.copied) / sum.small)
  }
  return { ratio: spreadOf(ratios), withCopy: spreadOf(copies) }
}

if (process.argv[1] === import.meta.filename) await benchSteps()
