import { afterEach, describe, expect, test, vi } from 'vitest'
import { counterOf } from '../tokens/counter.ts'
import { countAhead, measure } from '../compaction/measure/measure.ts'
import { advanceContext, advanceSteps, contextOf, emptyContext } from '../log/context/context.ts'
import { copyOfItems } from '../log/context/known-items.ts'
import { prunedItems } from '../log/context/items-of.ts'
import { withPruning } from '../compaction/plan/with-pruning.ts'
import { recall } from './recall/recall.ts'
import { factsAfterRewind, factsOf } from '../facts/facts-of.ts'
import { logFrom } from '../testing/generate/build.ts'
import { summaryAsUser, summaryRoleOf } from '../compaction/render/summary-block.ts'
import { exportSession } from '../formats/throughline/export-session.ts'
import { pruneToLowWater, stepsToLowWater, type PruneInput } from '../compaction/prune/prune.ts'
import { renderAhead, renderContext } from '../compaction/render/render.ts'
import { staleRefs, staleSteps } from '../compaction/prune/stale.ts'
import { estimatedTokens } from '../tokens/units.ts'
import { unitsOf } from '../log/steps.ts'
import { memoryStore } from '../stores/memory.ts'
import { openSession } from './session.ts'
import { summarizeLocally, summarySteps } from '../compaction/summary/local/summarize-locally.ts'
import type { EntryDraft, Replacement } from '../log/entry.ts'
import type { ToolLens } from '../facts/lens.ts'

/** A session of so many steps, each with a call of its own. */
function stepsOf(count: number): EntryDraft[] {
  return Array.from({ length: count }, (_, at): EntryDraft[] => {
    const call = { toolCallId: `call${at}`, toolName: 'Look' }
    const value = `module${at}.ts has ${at} lines. `.repeat(20)
    const content = [
      { type: 'text', text: `The header of module${at}.ts is parsed twice.` },
      { type: 'tool-call', ...call, input: { path: `src/module${at}.ts` } },
    ] as const
    const result = { type: 'tool-result', ...call, output: { type: 'text', value } } as const
    return [
      {
        kind: 'message',
        at,
        origin: 'model',
        finish: 'tool-calls',
        message: { role: 'assistant', content: [...content] },
      },
      { kind: 'message', at, origin: 'tool', message: { role: 'tool', content: [result] } },
    ]
  }).flat()
}

/** A lens that notes how often it is asked. */
function countingLens(): { lens: ToolLens; asked: () => number } {
  let asked = 0
  const lens: ToolLens = {
    tools: ['Look'],
    read: () => {
      asked += 1
      return []
    },
  }
  return { lens, asked: () => asked }
}

function drained<Result>(steps: Generator<undefined, Result>): { yields: number; result: Result } {
  let yields = 0
  let step = steps.next()
  for (; step.done !== true; step = steps.next()) yields += 1
  return { yields, result: step.value }
}

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('long work on a long session', () => {
  test('counts a context in slices, and measures the same', () => {
    const { items } = contextOf(logFrom(stepsOf(1_000)))
    const counter = counterOf({ ratio: 1 })
    const { yields } = drained(countAhead(items, counter, summaryAsUser))
    expect(yields).toBeGreaterThan(3)
    expect(drained(countAhead(items, counter, summaryAsUser)).yields).toBe(0)
    const context = contextOf(logFrom(stepsOf(1_000)))
    const frame = {}
    expect(measure({ ...context, items }, frame, counter, summaryAsUser).tokens).toBe(
      measure(context, frame, counterOf({ ratio: 1 }), summaryAsUser).tokens,
    )
  })

  test('folds a context after a rewind in slices, and leaves the rest where somebody was faster', () => {
    const log = logFrom([...stepsOf(3_000), { kind: 'rewind', at: 0, to: 5_900 }])
    const { yields, result } = drained(advanceSteps(emptyContext(), log))
    expect(yields).toBeGreaterThan(4)
    expect(result).toEqual(contextOf(log))
    const context = emptyContext()
    const steps = advanceSteps(context, log)
    steps.next()
    const { items } = advanceContext(context, log)
    drained(steps)
    expect(context.items).toBe(items)
  })

  test('has counted the next request of a session that was opened or undone', async () => {
    const store = memoryStore()
    await store.append('a', stepsOf(1_000))
    const session = await openSession({ store, id: 'a', window: { context: 200_000 } })
    const left = (): number => {
      const { items } = session.context()
      return drained(countAhead(items, session.counter, summaryRoleOf(session.policy))).yields
    }
    expect(left()).toBe(0)
    await session.compact()
    await session.undo()
    expect(session.messages().length).toBe(2_000)
    expect(left()).toBe(0)
  })

  test('folds facts after a rewind in slices', () => {
    const log = logFrom([...stepsOf(400), { kind: 'rewind', at: 0, to: 700 }])
    const { yields, result } = drained(factsAfterRewind(log, 801))
    expect(yields).toBeGreaterThanOrEqual(14)
    expect(result).toEqual(factsOf(log))
  })

  test('writes a summary in steps, with the same words', () => {
    const facts = factsOf(logFrom(stepsOf(300)))
    const request = { facts, budget: 1_500, count: (text: string) => Math.ceil(text.length / 4) }
    const { yields, result } = drained(summarySteps(request))
    expect(yields).toBeGreaterThan(5)
    expect(result).toBe(summarizeLocally(request))
  })

  test('reads the facts of a session just opened a few entries at a time', async () => {
    const { lens, asked } = countingLens()
    const store = memoryStore()
    await store.append('a', stepsOf(1_000))
    const window = { context: 200_000 }
    const plugins = [{ name: 'counts', lenses: [lens] }]
    const session = await openSession({ store, id: 'a', window, plugins })
    // A clock by which everything takes long.
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 10))
    let [most, before] = [0, asked()]
    const watch = setInterval(() => {
      most = Math.max(most, asked() - before)
      before = asked()
    }, 0)
    vi.stubGlobal('setImmediate', (then: () => void) => setTimeout(then, 2))
    await session.facts()
    clearInterval(watch)
    expect(asked()).toBeGreaterThanOrEqual(1_000)
    expect(most).toBeLessThanOrEqual(50)
  })

  test('does not begin anew where a compaction is undone', async () => {
    const { lens, asked } = countingLens()
    const session = await openSession({
      store: memoryStore(),
      id: 'a',
      window: { context: 200_000 },
      plugins: [{ name: 'counts', lenses: [lens] }],
    })
    for (const draft of stepsOf(300)) await session.append(draft)
    await session.compact()
    const before = await session.facts()
    const folded = asked()
    expect(folded).toBeGreaterThanOrEqual(300)
    await session.undo()
    await session.pin('Never touch module7.')
    expect(await session.facts()).toBe(before)
    expect(asked()).toBe(folded)
    // What was said is taken back here: that must be folded again.
    await session.rewind(100)
    const { files: _, ...after } = await session.facts()
    expect(asked()).toBeGreaterThan(folded)
    const { files: __, ...whole } = factsOf(await session.log(), { lenses: [lens] })
    expect(after).toEqual(whole)
  })
})

describe('a plan of a long session', () => {
  test('prunes in steps, with the same result', () => {
    const { items } = contextOf(logFrom(stepsOf(1_000)))
    const units = unitsOf(items)
    const stale = drained(staleSteps(units, []))
    expect(stale.yields).toBeGreaterThan(3)
    expect(stale.result).toEqual(staleRefs(units, []))
    const input: PruneInput = {
      units,
      need: estimatedTokens(40_000),
      recent: estimatedTokens(1_000),
      recentSteps: 2,
      tailTurns: 2,
      protectedTools: [],
      pinned: new Set(),
      stale: stale.result,
      counter: counterOf({ ratio: 1 }),
    }
    const pruned = drained(stepsToLowWater(input))
    expect(pruned.yields).toBeGreaterThan(8)
    expect(pruned.result?.replacements.length).toBeGreaterThan(100)
    expect(pruned.result).toEqual(pruneToLowWater(input))
  })

  test('takes out what it prunes in steps, once for all who ask', () => {
    const log = logFrom(stepsOf(1_000))
    const context = contextOf(log)
    const replacements = log.flatMap(({ seq }): Replacement[] =>
      seq % 2 === 0 ? [{ how: 'pruned', ref: `${seq}.0`, text: '[gone]' }] : [],
    )
    const pruning = { replacements }
    const { yields, result } = drained(withPruning({ context, log }, pruning))
    expect(yields).toBeGreaterThan(5)
    expect(drained(withPruning({ context, log }, pruning)).result).toBe(result)
    const draft = { kind: 'prune', at: 0, base: 2_000, replacements, metadata: {} } as const
    expect(result).toEqual(prunedItems(context, draft, log))
  })

  test('reads nothing again of a context that is copied', () => {
    const { items } = contextOf(logFrom(stepsOf(1_000)))
    const counter = counterOf({ ratio: 1 })
    drained(countAhead(items, counter, summaryAsUser))
    const copy = copyOfItems(items)
    expect(drained(countAhead(copy, counter, summaryAsUser)).yields).toBe(0)
    expect(renderContext(copy, summaryAsUser).messages).toEqual(
      renderContext(items, summaryAsUser).messages,
    )
  })

  test('renders in steps, with the same messages', () => {
    const { items } = contextOf(logFrom(stepsOf(1_000)))
    expect(drained(renderAhead(items, summaryAsUser)).yields).toBeGreaterThan(3)
    const other = contextOf(logFrom(stepsOf(1_000)))
    expect(renderContext(items, summaryAsUser).messages).toEqual(
      renderContext(other.items, summaryAsUser).messages,
    )
  })
})

describe('with every piece of work taking a while, others have their turn', () => {
  /** How often others had their turn during some work on a clock of its own. */
  async function turnsDuring(
    work: (pass: (time: number) => void) => Promise<unknown>,
    each = 5,
  ): Promise<number> {
    let now = performance.now()
    vi.spyOn(performance, 'now').mockImplementation(() => (now += each))
    let [turns, over] = [0, false]
    const others = (): void => {
      turns += 1
      if (!over) setImmediate(others)
    }
    setImmediate(others)
    await work((time) => (now += time))
    over = true
    vi.restoreAllMocks()
    return turns
  }

  const opened = async () => {
    const store = memoryStore()
    const session = await openSession({ store, id: 'a', window: { context: 10_000_000 } })
    return { store, session }
  }

  test('between the lines of an export, and the entries of a long append and of a search', async () => {
    const { store, session } = await opened()
    const steps = stepsOf(300)
    expect(await turnsDuring(() => session.append(...steps))).toBeGreaterThan(100)
    const lines = async (): Promise<void> => {
      for await (const line of exportSession(store, 'a')) expect(line).not.toBe('')
    }
    expect(await turnsDuring(lines)).toBeGreaterThan(100)
    const search = { phrases: [['module7']], match: 'all', limit: 9 } as const
    expect(await turnsDuring(() => store.search('a', search))).toBeGreaterThan(100)
  })

  test('while an undo reads all again, and a search for a file', async () => {
    const { store, session } = await opened()
    await session.append(...stepsOf(3_000))
    await session.compact()
    expect(await turnsDuring(() => session.undo())).toBeGreaterThan(15)
    const path = 'src/module7.ts'
    expect(await turnsDuring(() => recall(store, 'a', { path }))).toBeGreaterThan(0)
  })

  test('while a host appends and fits again and again without a pause', async () => {
    const { session } = await opened()
    // None of the calls takes long, but all of them do.
    const work = async (pass: (time: number) => void): Promise<void> => {
      for (const draft of stepsOf(50)) {
        await session.append(draft)
        await session.fit()
        pass(4)
      }
    }
    expect(await turnsDuring(work, 0)).toBeGreaterThan(30)
  })

  test('between the pages of a session whose entries are read', async () => {
    const { session } = await opened()
    await session.append(...stepsOf(3_000))
    const read = async (): Promise<void> => {
      for await (const { seq } of session.entries()) if (seq < 1) throw new Error('no seq')
    }
    expect(await turnsDuring(read)).toBeGreaterThan(2)
  })
})
