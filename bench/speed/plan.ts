import { compactLog, memoryStore, openSession } from 'throughline'
import { chronological } from 'throughline/engine'
import { collectYoung, limitsOf, processorTime } from './limit.ts'
import { profileOf, type Share } from './profile.ts'
import { codingSession } from './session.ts'
import { spreadOf, type Spread } from './spread.ts'
import { tell } from './tell.ts'
import type { Entry, Session } from 'throughline'
import type { Chronological } from 'throughline/engine'

const entries = 10_000
const warmUp = 2

/** Copies every string, so that no cache of an earlier round knows the log. */
function freshLog(): Chronological {
  const drafts = structuredClone(codingSession(entries, 100))
  return chronological(drafts.map((draft, index): Entry => ({ ...draft, seq: index + 1 })))
}

async function planOnce(log: Chronological): Promise<unknown> {
  const compacted = await compactLog(log, { window: { context: 200_000 }, trigger: 'manual' })
  const { action } = compacted.report
  if (action !== 'summary') throw new Error(`nothing was compacted: ${action}`)
  return compacted
}

/**
 * Planning a compaction of a session of 10,000 entries and a million tokens, cold: measure,
 * prune, cut, index, summary and render, against one `JSON.stringify` of the same messages.
 */
export async function benchPlan(rounds = 9): Promise<Spread> {
  const ratios: number[] = []
  const read: number[] = []
  const planned: number[] = []
  const first: number[] = []
  const own: number[] = []
  const kept: unknown[] = []
  for (let round = 0; round < rounds + warmUp; round++) {
    const log = freshLog()
    const messages = log.flatMap((entry) => (entry.kind === 'message' ? [entry.message] : []))
    const limits = await limitsOf(messages)
    await collectYoung()
    const stringify = await processorTime(() => JSON.stringify(messages))
    await collectYoung()
    const before = process.threadCpuUsage()
    const took = await processorTime(async () => {
      // While one of them is in memory, collecting garbage leaves what the compiler has learned.
      kept[0] = await planOnce(log)
    })
    const { user, system } = process.threadCpuUsage(before)
    if (round === 0) first.push(took / stringify)
    // The first rounds warm up the compiler, on both sides.
    if (round < warmUp) continue
    ratios.push(took / stringify)
    read.push(limits.read / stringify)
    planned.push(took / 1_000)
    own.push((user + system) / stringify)
  }
  const ratio = spreadOf(ratios)
  tell({
    what: 'plan, facts, summary and render of 10,000 entries, 1M tokens, by JSON.stringify',
    figure: ratio,
    unit: '×',
    goal: { most: 4 },
    limit: { figure: spreadOf(read), what: 'every character looked at once' },
  })
  tell({ what: '  in time', figure: spreadOf(planned), unit: 'ms of processor time', digits: 0 })
  tell({
    what: '  without other threads, which compile and collect garbage',
    figure: spreadOf(own),
    unit: '×',
  })
  tell({
    what: '  the first in its process, with the compiler’s time',
    figure: spreadOf(first),
    unit: '×',
    goal: { most: 12 },
    limit: { figure: spreadOf(ratios), what: 'the same when the code is compiled' },
  })
  return ratio
}

/** A session that was open while it grew: what was said is counted and its facts are folded in. */
async function openWhileItGrew(): Promise<Session> {
  const drafts = structuredClone(codingSession(entries, 100))
  const session = await openSession({
    store: memoryStore(),
    id: 'bench',
    window: { context: 4_000_000 },
  })
  for (let at = 0; at < drafts.length; at += 2) {
    await session.append(...drafts.slice(at, at + 2))
    await session.fit()
  }
  return session
}

async function compactOnce(session: Session): Promise<void> {
  const { action } = await session.compact()
  if (action !== 'summary') throw new Error(`nothing was compacted: ${action}`)
  session.messages()
}

/** The same in such a session. */
export async function benchOpenPlan(rounds = 7): Promise<Spread> {
  const ratios: number[] = []
  const visited: number[] = []
  const own: number[] = []
  const kept: unknown[] = []
  for (let round = 0; round < rounds + warmUp; round++) {
    const session = await openWhileItGrew()
    const messages = session.messages()
    const limits = await limitsOf(messages)
    await collectYoung()
    const stringify = await processorTime(() => JSON.stringify(messages))
    await collectYoung()
    const before = process.threadCpuUsage()
    const took = await processorTime(() => compactOnce(session))
    const { user, system } = process.threadCpuUsage(before)
    kept[0] = session
    if (round < warmUp) continue
    ratios.push(took / stringify)
    visited.push(limits.visited / stringify)
    own.push((user + system) / stringify)
  }
  const ratio = spreadOf(ratios)
  tell({
    what: 'the same in a session that was open, by JSON.stringify',
    figure: ratio,
    unit: '×',
    goal: { most: 0.1 },
    limit: { figure: spreadOf(visited), what: 'every message looked at once, none of its text' },
  })
  tell({
    what: '  without other threads, which compile and collect garbage',
    figure: spreadOf(own),
    unit: '×',
  })
  return ratio
}

/** What both spend their time on. */
export async function profilePlans(rounds = 8): Promise<{ cold: Share[]; open: Share[] }> {
  const logs = Array.from({ length: rounds + warmUp }, freshLog)
  for (const log of logs.splice(0, warmUp)) await planOnce(log)
  const cold = await profileOf(async () => {
    for (const log of logs) await planOnce(log)
  })
  const sessions: Session[] = []
  for (let round = 0; round < rounds + warmUp; round++) sessions.push(await openWhileItGrew())
  for (const session of sessions.splice(0, warmUp)) await compactOnce(session)
  const open = await profileOf(async () => {
    for (const session of sessions) await compactOnce(session)
  })
  return { cold, open }
}

if (process.argv[1] === import.meta.filename) {
  await benchPlan()
  await benchOpenPlan()
  if (process.argv.includes('--profile')) console.log(await profilePlans())
}
