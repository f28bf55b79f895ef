import { describe, expect, it } from 'vitest'
import { advanceContext, contextOf, emptyContext } from '../../log/context/context.ts'
import { assistant, human, logFrom } from '../../testing/generate/build.ts'
import { counterOf } from '../../tokens/counter.ts'
import { plainCounter } from '../../testing/plain-counter.ts'
import {
  countAhead,
  measure,
  measureItems,
  type Measurement,
  type RequestFrame,
} from './measure.ts'
import { summaryAsUser } from '../render/summary-block.ts'
import type { EntryDraft } from '../../log/entry.ts'
import type { Message } from '../../log/message.ts'

const counter = counterOf({ ratio: 1 })

const measured = (drafts: readonly EntryDraft[], frame: RequestFrame = {}): Measurement =>
  measure(contextOf(logFrom(drafts)), frame, counter, summaryAsUser)

const said = human('word '.repeat(2_000))
const answered = (inputTokens: number, model?: string): EntryDraft =>
  assistant('ok', { usage: { inputTokens, outputTokens: 10 }, ...(model && { model }) })

describe('the measure of the next request', () => {
  it("is a provider's usage and an estimate of what came after it", () => {
    const after = human('and this')
    const measurement = measured([said, answered(2_500), after])
    expect(measurement.source).toBe('usage')
    expect(measurement.tokens).toBe(2_510 + measured([after]).tokens)
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
    // Where nobody says which model it was, it may be this one.
    expect(measured([said, answered(2_500, 'a')]).source).toBe('usage')
    expect(measured([said, answered(2_500)], { model: 'b' }).source).toBe('usage')
    for (const lie of [0, -5, 1e9, Number.NaN, Infinity, 10]) {
      expect(measured([said, answered(lie)]).source).toBe('estimate')
    }
  })

  it('explains up to four times what the request was, and a quarter of it', () => {
    const round = plainCounter(() => 0, { message: () => 100 })
    const sourceOf = (tokens: number, more: readonly EntryDraft[] = []) => {
      const usage = { inputTokens: tokens - 50, outputTokens: 50 }
      const log = logFrom([said, said, said, assistant('ok', { usage }), more])
      return measure(contextOf(log), {}, round, summaryAsUser).source
    }
    // Four messages of 100 tokens.
    expect([99, 100, 1_600, 1_601].map((tokens) => sourceOf(tokens))).toEqual([
      'estimate',
      'usage',
      'usage',
      'estimate',
    ])
    // What came since explains nothing of it.
    expect(
      sourceOf(
        1_700,
        Array.from({ length: 9 }, () => human('more')),
      ),
    ).toBe('estimate')
  })

  it('believes a usage of which the provider had cleared a part, and goes by what was left', () => {
    const usage = { inputTokens: 200, outputTokens: 10, clearedTokens: 2_300 }
    const measurement = measured([said, assistant('ok', { usage })])
    expect(measurement).toMatchObject({ source: 'usage', tokens: 210 })
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
  const sent = logFrom([assistant([block, behind]), human('and this')])
  expect(bare.tokens).toBe(measureItems(contextOf(sent).items, counter, summaryAsUser))
  expect(bare.tokens).toBeGreaterThan(measured([human('and this')]).tokens + 3)
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
  const note: EntryDraft = { ...item, message: { role: 'system', content: 'Be brief.' } }
  for (const before of [[], [note]]) {
    expect(measured([said, ...before, assistant('I go on.', { usage })]).source).toBe('usage')
  }
  const brought = measured([said, item, assistant('I go on.', { usage })])
  expect(brought.source).toBe('estimate')
  expect(brought.tokens).toBeLessThan(200)
  // Nor one that would be explained.
  const near = { inputTokens: brought.tokens, outputTokens: 10 }
  const part = { type: 'custom', kind: 'openai.compaction' } as const
  for (const answer of [
    [item, assistant('I go on.', { usage: near })],
    [assistant([part, { type: 'text', text: 'I go on.' }], { usage: near })],
  ]) {
    expect(measured([said, ...answer]).source).toBe('estimate')
  }
  const later = measured([
    said,
    item,
    assistant('I go on.'),
    human('Yes?'),
    assistant('So.', { usage: { inputTokens: 60, outputTokens: 3 } }),
  ])
  expect(later.source).toBe('usage')
})

it('believes no usage of a provider that read less than this one will', () => {
  const block = { type: 'custom', kind: 'openai.compaction' } as const
  const log = logFrom([
    said,
    assistant([block]),
    human('Go on.'),
    assistant('So.', { usage: { inputTokens: 2_500, outputTokens: 10 } }),
  ])
  const sourceFor = (provider: string) =>
    measure(advanceContext(emptyContext(provider), log), {}, counter, summaryAsUser).source
  expect(sourceFor('anthropic')).toBe('estimate')
  const short = logFrom([
    human('Go on.'),
    assistant('So.', { usage: { inputTokens: 9, outputTokens: 1 } }),
  ])
  const context = advanceContext(emptyContext('anthropic'), short)
  expect(measure(context, {}, counter, summaryAsUser).source).toBe('usage')
})

it('counts what a provider sends before its own compaction, if it came with it', () => {
  const request = { role: 'user', content: 'word '.repeat(500) } as const
  const sealed: Message = {
    role: 'assistant',
    content: [{ type: 'custom', kind: 'openai.compaction' }],
  }
  const sizeWith = (messages: Message[]): number =>
    measure(
      advanceContext(
        emptyContext('openai'),
        logFrom([
          said,
          {
            kind: 'checkpoint',
            at: 0,
            base: 1,
            summary: 'It was.',
            summarizer: 'local',
            tail: [],
            continuation: null,
            block: { provider: 'openai', by: 'openai', messages, standing: '' },
            metadata: {},
          },
        ]),
      ),
      {},
      counter,
      summaryAsUser,
    ).tokens
  expect(sizeWith([request, sealed]) - sizeWith([sealed])).toBe(counter.message(request))
})

it('counts each message and the tools once, however often it is asked', () => {
  const counted: unknown[] = []
  const counting = {
    ...counter,
    text: (text: string) => (counted.push(text), counter.text(text)),
    message: (message: Message) => (counted.push(message), counter.message(message)),
  }
  const context = contextOf(logFrom([said, human('and this')]))
  const frame = { tools: [{ name: 'read' }] }
  const first = measure(context, frame, counting, summaryAsUser)
  expect(counted).toHaveLength(3)
  expect(measure(context, frame, counting, summaryAsUser)).toEqual(first)
  expect(counted).toHaveLength(3)
})

it('counts no tools where there are none, whatever says so', () => {
  for (const tools of [undefined, null, 5, 'none', { toJSON: () => undefined }]) {
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
