import { describe, expect, it } from 'vitest'
import { contextOf } from '../../log/context/context.ts'
import { assistant, human, logFrom } from '../../testing/generate/build.ts'
import { counterOf } from '../../tokens/counter.ts'
import {
  countAhead,
  measure,
  measureItems,
  type Measurement,
  type RequestFrame,
} from './measure.ts'
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

it('counts of an answer only what stands behind the provider’s own compaction in it', () => {
  const behind = { type: 'text', text: 'I go on.' } as const
  const block = { type: 'custom', kind: 'openai.compaction' } as const
  const before = { type: 'text', text: 'word '.repeat(2_000) } as const
  const bare = measured([said, assistant([block, behind]), human('and this')])
  const whole = measured([said, assistant([before, block, behind]), human('and this')])
  expect(whole.tokens).toBe(bare.tokens)
})

it('believes no usage of the answer that brought a compaction, whichever way an API brings it', () => {
  const usage = { inputTokens: 2_500, outputTokens: 10 }
  const item: EntryDraft = {
    kind: 'message',
    at: 0,
    origin: 'model',
    message: {
      role: 'system',
      content: JSON.stringify({ type: 'compaction', encrypted_content: 'x' }),
      providerOptions: { openai: { form: 'item' } },
    },
  }
  expect(measured([said, assistant('I go on.', { usage })]).source).toBe('usage')
  const brought = measured([said, item, assistant('I go on.', { usage })])
  expect(brought.source).toBe('estimate')
  expect(brought.tokens).toBeLessThan(200)
  const later = measured([
    said,
    item,
    assistant('I go on.'),
    human('Yes?'),
    assistant('So.', { usage: { inputTokens: 60, outputTokens: 3 } }),
  ])
  expect(later.source).toBe('usage')
})

it('counts no tools where there are none, whatever says so', () => {
  for (const tools of [undefined, null, 5, 'none']) {
    expect(measured([said], { tools }).tools).toBe(0)
  }
})

describe('what is counted ahead', () => {
  const messages = Array.from({ length: 100 }, (_, at) => human(`${at} ${'word '.repeat(1_500)}`))

  it('lets others have their turn, again and again, and is counted once', () => {
    const { items } = contextOf(logFrom(messages))
    const counting = countAhead(items, counter, summaryAsUser)
    let turns = 0
    while (!counting.next().done) turns += 1
    const whole = measureItems(items, counter, summaryAsUser)
    // Each time about 20,000 tokens were counted.
    expect(turns).toBeGreaterThanOrEqual(Math.floor(whole / 25_000))
    expect(turns).toBeLessThanOrEqual(Math.ceil(whole / 20_000))
    expect(measureItems(contextOf(logFrom(messages)).items, counter, summaryAsUser)).toBe(whole)
  })
})
