import { describe, expect, test } from 'vitest'
import { counterOf } from '../tokens/counter.ts'
import { countAhead, measure } from '../compaction/measure/measure.ts'
import { contextOf } from '../log/context/context.ts'
import { factsAfterRewind, factsOf } from '../facts/facts-of.ts'
import { logFrom } from '../testing/generate/build.ts'
import { summaryAsUser } from '../compaction/render/summary-block.ts'
import { memoryStore } from '../stores/memory.ts'
import { openSession } from './session.ts'
import { summarizeLocally, summarySteps } from '../compaction/summary/local/summarize-locally.ts'
import type { EntryDraft } from '../log/entry.ts'
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
