import { expect, it } from 'vitest'
import { paceOf } from './pace.ts'
import { advanceContext, contextOf, emptyContext } from '../../log/context/context.ts'
import { chronological } from '../../log/order.ts'
import { counterOf } from '../../tokens/counter.ts'
import { plainCounter } from '../../testing/plain-counter.ts'
import type { Entry } from '../../log/entry.ts'
import type { Message } from '../../log/message.ts'

const minute = 60_000
const life = 5 * minute
const counter = counterOf({ ratio: 1 })

/** A human message and an answer, each time so many minutes after the answer before. */
function talk(gaps: readonly number[]): Entry[] {
  let at = 0
  return gaps.flatMap((gap, index): Entry[] => {
    at += gap * minute
    return [
      {
        seq: 2 * index + 1,
        kind: 'message',
        at,
        origin: 'human',
        message: { role: 'user', content: `request ${index} ${'word '.repeat(500)}` },
      },
      {
        seq: 2 * index + 2,
        kind: 'message',
        at: at + 1_000,
        origin: 'model',
        message: { role: 'assistant', content: `answer ${index}` },
      },
    ]
  })
}

it('grows as the session does', () => {
  const log = chronological(talk(Array.from({ length: 200 }, () => 1)))
  const { growth, coldShare, isCold } = paceOf(contextOf(log), log, counter, life)
  const own = log
    .slice(0, 2)
    .reduce(
      (sum, entry) => sum + (entry.kind === 'message' ? counter.message(entry.message) : 0),
      0,
    )
  expect(growth).toBeGreaterThan(own * 0.8)
  expect(growth).toBeLessThan(own * 1.2)
  expect(coldShare).toBeLessThan(0.02)
  expect(isCold).toBe(false)
})

it('is assumed of a session that has said nothing', () => {
  const log = chronological([])
  const assumed = { growth: 800, coldShare: 0.02, isCold: false }
  expect(paceOf(contextOf(log), log, counter, life)).toEqual(assumed)
  // Five assumed requests, and one of 2,000 tokens; fifty assumed gaps, and one that was too long.
  const round = plainCounter(() => 0, { message: () => 1_000 })
  const once = chronological(talk([1]))
  expect(paceOf(contextOf(once), once, round, life).growth).toBe(1_000)
  const twice = chronological(talk([1, 10]))
  expect(paceOf(contextOf(twice), twice, round, life).coldShare).toBe(2 / 52)
})

it('is that of what was said since the newest checkpoint', () => {
  const before = talk([1, 10, 1, 10])
  const after = talk([1, 1, 10])
  const base = before.length
  const checkpoint: Entry = {
    seq: base + 1,
    kind: 'checkpoint',
    at: 0,
    base,
    summary: 'It was.',
    summarizer: 'local',
    tail: before.slice(-2).map(({ seq }) => ({ type: 'entry', seq })),
    continuation: null,
    metadata: {},
  }
  const later = after.map((entry) => ({ ...entry, seq: entry.seq + base + 1 }))
  const log = chronological([...before, checkpoint, ...later])
  const alone = chronological(after)
  expect(paceOf(contextOf(log), log, counter, life)).toEqual(
    paceOf(contextOf(alone), alone, counter, life),
  )
})

it('says when the cache has forgotten the session, and how often it has', () => {
  const entries = talk(Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? 1 : 10)))
  const log = chronological(entries)
  expect(paceOf(contextOf(log), log, counter, life).coldShare).toBeGreaterThan(0.2)
  const waiting = chronological(entries.slice(0, -1))
  expect(paceOf(contextOf(waiting), waiting, counter, life).isCold).toBe(true)
  expect(paceOf(contextOf(waiting), waiting, counter, 20 * minute).isCold).toBe(false)
  // The answer came a second behind its request.
  const gap = 10 * minute - 1_000
  expect(paceOf(contextOf(waiting), waiting, counter, gap).isCold).toBe(false)
  expect(paceOf(contextOf(waiting), waiting, counter, gap - 1).isCold).toBe(true)
})

it('is the same whether the log came at once or step by step', () => {
  const entries = talk([1, 1, 9, 1, 30, 2, 2])
  const context = emptyContext()
  const counted: unknown[] = []
  const counting = {
    ...counter,
    message: (message: Message) => (counted.push(message), counter.message(message)),
  }
  for (let length = 1; length <= entries.length; length++) {
    const log = chronological(entries.slice(0, length))
    advanceContext(context, log)
    expect(paceOf(context, log, counting, life)).toEqual(paceOf(contextOf(log), log, counter, life))
  }
  // Each is counted when it comes, and never again.
  expect(counted).toHaveLength(entries.length)
})
