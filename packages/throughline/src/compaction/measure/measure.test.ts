import { describe, expect, it } from 'vitest'
import { contextOf } from '../../log/context/context.ts'
import { assistant, human, logFrom } from '../../testing/generate/build.ts'
import { counterOf } from '../../tokens/counter.ts'
import { measure, type Measurement, type RequestFrame } from './measure.ts'
import { summaryAsUser } from '../render/summary-block.ts'
import type { EntryDraft } from '../../log/entry.ts'

const counter = counterOf({ ratio: 1 })

const measured = (drafts: readonly EntryDraft[], frame: RequestFrame = {}): Measurement =>
  measure(contextOf(logFrom(drafts)), frame, counter, summaryAsUser)

const said = human('word '.repeat(2_000))
const answered = (inputTokens: number, model?: string): EntryDraft =>
  assistant('ok', { usage: { inputTokens, outputTokens: 10 }, ...(model && { model }) })

describe('the measure of the next request', () => {
  it("is a provider's usage and an estimate of what came after it", () => {
    const measurement = measured([said, answered(2_500), human('and this')])
    expect(measurement.source).toBe('usage')
    expect(measurement.tokens).toBeGreaterThan(2_510)
    expect(measurement.tokens).toBeLessThan(2_530)
  })

  it('believes no usage from before a checkpoint, a prune or a rewind', () => {
    const changes: EntryDraft[] = [
      {
        kind: 'checkpoint',
        at: 0,
        base: 2,
        summary: 'word '.repeat(1_000),
        summarizer: 'local',
        tail: [{ type: 'entry', seq: 2 }],
        continuation: null,
        metadata: {},
      },
      { kind: 'prune', at: 0, base: 2, replacements: [], metadata: {} },
      { kind: 'rewind', at: 0, to: 2 },
    ]
    for (const change of changes) {
      expect(measured([said, answered(2_500), change]).source).toBe('estimate')
    }
  })

  it('believes no usage of another model, and none that it cannot explain', () => {
    expect(measured([said, answered(2_500, 'a')], { model: 'a' }).source).toBe('usage')
    expect(measured([said, answered(2_500, 'a')], { model: 'b' }).source).toBe('estimate')
    for (const lie of [0, -5, 1e9, Number.NaN, Infinity, 10]) {
      expect(measured([said, answered(lie)]).source).toBe('estimate')
    }
  })

  it('counts system prompt and tools', () => {
    const bare = measured([said])
    const framed = measured([said], {
      system: 'Be careful. '.repeat(50),
      tools: [{ name: 'read' }],
    })
    expect(framed.tokens).toBe(bare.tokens + framed.system + framed.tools)
    expect(framed.system).toBeGreaterThan(100)
    expect(framed.tools).toBeGreaterThan(0)
  })
})

it('counts nothing of what a provider’s own compaction replaced', () => {
  const compacted = assistant([
    { type: 'custom', kind: 'openai.compaction' },
    { type: 'text', text: 'I go on.' },
  ])
  const { tokens } = measured([said, compacted, human('and this')])
  expect(tokens).toBeLessThan(200)
  expect(measured([said, assistant('I go on.'), human('and this')]).tokens).toBeGreaterThan(1_000)
})
