import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DropError, planDrop } from '../../compaction/prune/drop.ts'
import { ref as refOf } from '../../log/ref.ts'
import { memoryStore } from '../../stores/memory.ts'
import { assistant, call, human, result, tool } from '../../testing/generate/build.ts'
import { runs } from '../../testing/generate/runs.ts'
import { arbitrarySession } from '../../testing/generate/session.ts'
import { illegalities } from '../../testing/legal.ts'
import { counterOf } from '../../tokens/counter.ts'
import { openSession, type Session } from '../session.ts'
import type { Ref } from '../../log/entry.ts'

const counter = counterOf({ ratio: 1 })
const long = 'many words that say little '.repeat(40)

function open(store = memoryStore()): Promise<Session> {
  return openSession({ store, id: 'main', window: { context: 1_000_000 }, now: () => 0 })
}

function drop(session: Session, ...refs: Ref[]) {
  return session.append(planDrop({ context: session.context(), counter, refs, now: 0 }).draft)
}

/** 1 the human, 2 two calls, 3 and 4 their results, 5 the human, 6 the newest answer. */
async function twoTurns(): Promise<Session> {
  const session = await open()
  await session.append(
    human(long),
    assistant([call('a', 'read', { path: long }), call('b', 'read')]),
    tool(result('a', 'read', long)),
    tool(result('b', 'read', long)),
    human('and now?'),
    assistant('done'),
  )
  return session
}

describe('a drop', () => {
  test('leaves pairs whole and everything else as it was, and undo brings it back', async () => {
    let dropped = 0
    await fc.assert(
      fc.asyncProperty(arbitrarySession({ maxSteps: 8 }), fc.nat(), async (drafts, pick) => {
        const session = await open()
        await session.append(...drafts)
        const before = JSON.stringify(session.messages())
        const seqs = session.context().items.map(({ seq }) => seq)
        const ref = refOf(seqs[pick % Math.max(seqs.length, 1)] ?? 1)
        try {
          await drop(session, ref)
        } catch (error) {
          expect(DropError.isInstance(error)).toBe(true)
          expect(JSON.stringify(session.messages())).toBe(before)
          return
        }
        dropped++
        expect(illegalities(session.messages())).toEqual([])
        expect(JSON.stringify(session.messages())).not.toBe(before)
        await session.undo()
        expect(JSON.stringify(session.messages())).toBe(before)
      }),
      runs(200),
    )
    expect(dropped).toBeGreaterThan(10)
  })

  test('of an answer takes the results of its calls along, each with its ref', async () => {
    const session = await twoTurns()
    await drop(session, '2')
    const text = JSON.stringify(session.messages().slice(1, 4))
    expect(text).not.toContain('many words')
    expect(text).toContain('ref=\\"3.0\\"')
    expect(text).toContain('ref=\\"4.0\\"')
    expect(JSON.stringify(session.messages()[0])).toContain('many words')
    expect(JSON.stringify(await session.read('3.0'))).toContain('many words')
  })

  test('of one call takes its own result alone', async () => {
    const session = await twoTurns()
    await drop(session, '2.0')
    expect(session.context().items[2]).toHaveProperty('replacements')
    expect(session.context().items[3]).not.toHaveProperty('replacements')
  })

  test('of a result leaves its call', async () => {
    const session = await twoTurns()
    await drop(session, '4')
    expect(JSON.stringify(session.messages()[1])).toContain('many words')
    expect(JSON.stringify(session.messages()[3])).not.toContain('many words')
  })

  test('of a range takes what can go, tells what stays, and undo brings it back in one', async () => {
    const session = await twoTurns()
    await session.pin(long, '4')
    const before = JSON.stringify(session.messages())
    const ranges = [{ from: 1, through: 6 }]
    const { draft, stays } = planDrop({
      context: session.context(),
      counter,
      refs: [],
      ranges,
      now: 0,
    })
    expect(stays).toEqual([
      { ref: '2', problem: 'pinned' },
      { ref: '4', problem: 'pinned' },
      { ref: '5', problem: 'newest' },
      { ref: '6', problem: 'newest' },
    ])
    expect(draft.replacements.map(({ ref }) => ref)).toEqual(['1.0', '3.0'])
    await session.append(draft)
    expect(illegalities(session.messages())).toEqual([])
    await session.undo()
    expect(JSON.stringify(session.messages())).toBe(before)
  })

  test('of any range leaves pairs whole, and undo brings it back', async () => {
    let dropped = 0
    const any = [arbitrarySession({ maxSteps: 8 }), fc.nat(), fc.nat()] as const
    await fc.assert(
      fc.asyncProperty(...any, async (drafts, one, other) => {
        const session = await open()
        await session.append(...drafts)
        const before = JSON.stringify(session.messages())
        const { seq } = session.context()
        const [from = 1, through = 1] = [one, other]
          .map((pick) => 1 + (pick % Math.max(seq, 1)))
          .sort((a, b) => a - b)
        const ranges = [{ from, through }]
        const input = { context: session.context(), counter, refs: [], ranges, now: 0 }
        try {
          await session.append(planDrop(input).draft)
        } catch (error) {
          expect(DropError.isInstance(error)).toBe(true)
          expect(JSON.stringify(session.messages())).toBe(before)
          return
        }
        dropped++
        expect(illegalities(session.messages())).toEqual([])
        await session.undo()
        expect(JSON.stringify(session.messages())).toBe(before)
      }),
      runs(200),
    )
    expect(dropped).toBeGreaterThan(10)
  })

  test('of a range in which nothing can go, or that never was, is refused', async () => {
    const session = await twoTurns()
    const planned = (from: number, through: number) => () =>
      planDrop({
        context: session.context(),
        counter,
        refs: [],
        ranges: [{ from, through }],
        now: 0,
      })
    expect(planned(5, 6)).toThrow(expect.objectContaining({ code: 'DROP', problem: 'newest' }))
    expect(planned(3, 99)).toThrow(expect.objectContaining({ code: 'REF_NOT_FOUND' }))
  })

  test('survives a compaction, and the record still has it', async () => {
    const session = await twoTurns()
    await drop(session, '2')
    await session.compact()
    expect(illegalities(session.messages())).toEqual([])
    expect(JSON.stringify(await session.read('4.0'))).toContain('many words')
  })

  test.each([
    ['5', 'newest'],
    ['6', 'newest'],
  ] as const)('of %s is refused: %s', async (ref, problem) => {
    const session = await twoTurns()
    const before = session.messages()
    expect(() => planDrop({ context: session.context(), counter, refs: [ref], now: 0 })).toThrow(
      expect.objectContaining({ code: 'DROP', problem }),
    )
    expect(session.messages()).toEqual(before)
  })

  test('of what is pinned, dropped or never was is refused', async () => {
    const session = await twoTurns()
    await session.pin(long, '3.0')
    const planned = (ref: Ref) => () =>
      planDrop({ context: session.context(), counter, refs: [ref], now: 0 })
    expect(planned('2')).toThrow(expect.objectContaining({ problem: 'pinned' }))
    await drop(session, '4')
    expect(planned('4')).toThrow(expect.objectContaining({ problem: 'gone' }))
    expect(planned('99')).toThrow(expect.objectContaining({ code: 'REF_NOT_FOUND' }))
  })
})
