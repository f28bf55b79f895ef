import { describe, expect, it } from 'vitest'
import {
  assistant,
  call,
  human,
  logFrom,
  result,
  step,
  tool,
} from '../../testing/generate/build.ts'
import { planInputFor } from '../../session/once/plan-input.ts'
import { compactLog } from '../../session/once/compact-log.ts'
import { contextOf } from '../../log/context/context.ts'
import { messageText } from '../../log/message.ts'
import { budgetOf } from '../plan/budget.ts'
import { planCompaction } from '../plan/plan-compaction.ts'
import { presets } from '../presets.ts'
import { unitsOf } from '../../log/steps.ts'
import type { Chronological } from '../../log/order.ts'
import type { CompactLogOptions } from '../../session/once/compact-log.ts'
import type { Cut } from '../cut/cut.ts'
import type { Summarizer, SummaryAnswer, SummaryRequest } from '../summary/with-model/summarizer.ts'
import { plainCounter } from '../../testing/plain-counter.ts'
import { estimatedTokens, modelTokens } from '../../tokens/units.ts'

const seed = presets.seed

/** The seed's cut of a log in which every message counts what its text says. */
function cutOf(log: Chronological, budget: number): Cut {
  return seed.cut({
    units: unitsOf(contextOf(log).items),
    budget: estimatedTokens(budget),
    full: estimatedTokens(budget),
    stretch: estimatedTokens(0),
    request: estimatedTokens(100_000),
    media: estimatedTokens(0),
    olderMedia: 0,
    tailTurns: 2,
    protectedTools: ['skill', 'map'],
    counter: plainCounter((text) => text.length, {
      message: (message) => Number(/\d+/.exec(messageText(message))?.[0] ?? 0),
    }),
  })
}

const tailSeqs = (cut: Cut): number[] =>
  cut.tail.flatMap((item) => (item.type === 'entry' ? [item.seq] : []))

const fiveSections = ['Goal', 'Instructions', 'Discoveries', 'Accomplished', 'Relevant files']
  .map((heading) => `## ${heading}\n(said by the model) ${'It says what matters. '.repeat(12)}`)
  .join('\n\n')

function recording(text: string): Summarizer & { requests: SummaryRequest[] } {
  const requests: SummaryRequest[] = []
  return {
    name: 'scripted',
    requests,
    summarize: async (request): Promise<SummaryAnswer> => {
      requests.push(request)
      return { text, finish: 'stop' }
    },
  }
}

const long = (turns: number): Chronological =>
  logFrom(
    Array.from({ length: turns }, (_, turn) => [
      human(`request ${turn}: ${'please do the thing '.repeat(100)}`),
      step(`c${turn}`, 'read', { path: `src/file${turn}.ts` }, 'some line of code\n'.repeat(400)),
      assistant(`answer ${turn}`),
    ]),
  )

const options = { window: { context: 40_000 }, policy: seed } satisfies CompactLogOptions

describe('T8, tail budget', () => {
  it.each([
    [4_000, 2_000],
    [8_000, 2_000],
    [20_000, 5_000],
    [32_000, 8_000],
    [180_000, 8_000],
  ])('of usable %i tokens is %i', (usable, tail) => {
    expect(seed.tail(usable, usable)).toBe(tail)
  })

  it('counts usable as the limit without 20,000 reserved, or a quarter where nothing would be left', () => {
    expect(budgetOf(seed, { context: 200_000 }, modelTokens(0)).usable).toBe(180_000)
    expect(budgetOf(seed, { context: 24_000 }, modelTokens(0)).usable).toBe(4_000)
    expect(budgetOf(seed, { context: 8_000 }, modelTokens(0)).usable).toBe(6_000)
  })

  it('works in a window of 8,000', async () => {
    const log = logFrom(
      Array.from({ length: 12 }, (_, turn) => [
        human(`request ${turn}`),
        step(`c${turn}`, 'read', {}, 'some line of code\n'.repeat(200)),
      ]),
    )
    const { report } = await compactLog(log, { window: { context: 8_000 }, policy: seed })
    expect(report).toMatchObject({ action: 'summary', fits: true })
  })
})

describe('T8, backward walk', () => {
  it('stops when the budget is reached and there are two messages', () => {
    const log = logFrom([human('100'), assistant('100'), human('100'), assistant('100')])
    expect(tailSeqs(cutOf(log, 150))).toEqual([3, 4])
    expect(tailSeqs(cutOf(log, 250))).toEqual([2, 3, 4])
  })

  it('stops at the budget, not one token behind it', () => {
    const log = logFrom([human('100'), assistant('100'), human('100'), assistant('100')])
    expect(tailSeqs(cutOf(log, 200))).toEqual([3, 4])
    expect(tailSeqs(cutOf(log, 201))).toEqual([2, 3, 4])
  })

  it('keeps at least two messages however small the budget is', () => {
    const log = logFrom([human('5'), assistant('5'), human('5000'), assistant('5000')])
    expect(tailSeqs(cutOf(log, 10))).toEqual([3, 4])
  })

  it('has no head where there are not enough messages', () => {
    const log = logFrom([human('5'), assistant('5')])
    expect(cutOf(log, 2_000).head).toEqual([])
  })

  it('ends at an earlier summary, which is no message, and counts an earlier continue as one', () => {
    const log = logFrom([
      human('100'),
      {
        kind: 'checkpoint',
        at: 0,
        base: 1,
        summary: '5000',
        summarizer: 'local',
        tail: [],
        continuation: {
          kind: 'mid-task',
          message: { role: 'user', content: 'continue: 300' },
          metadata: { compaction_continue: true },
        },
        metadata: {},
      },
      assistant('100'),
      human('100'),
    ])
    // The continue is the third message, and fills the budget; it is not said again in the tail.
    const filled = cutOf(log, 450)
    expect(tailSeqs(filled)).toEqual([3, 4])
    expect(filled.head).toEqual([])
    expect(filled.tailTokens).toBe(200)
    // Nothing stands between the summary and the beginning of the walk.
    const whole = cutOf(log, 10_000)
    expect(tailSeqs(whole)).toEqual([3, 4])
    expect(whole.head).toEqual([])
    expect(whole.tail).toEqual([
      { type: 'entry', seq: 3 },
      { type: 'entry', seq: 4 },
    ])
  })

  it('does not part a result from its call, which no provider would take', () => {
    const log = logFrom([
      human('10'),
      assistant([{ type: 'text', text: '10' }, call('a', 'read')]),
      tool(result('a', 'read', '5000')),
      assistant('10'),
    ])
    expect(tailSeqs(cutOf(log, 100))).toEqual([2, 3, 4])
  })
})

describe('T8 with T9', () => {
  it('walks over what the pruning left: outputs that are gone take no room in the tail', () => {
    const log = logFrom([
      human('10'),
      step('a', 'read', {}, '5000'),
      human('10'),
      human('10'),
      assistant('10'),
    ])
    expect(tailSeqs(cutOf(log, 100))).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('marks in the tail when what was pruned of it', async () => {
    const log = logFrom([
      Array.from({ length: 40 }, () => [human('go'), assistant('yes '.repeat(800))]),
      step('a', 'read', {}, 'some line of code\n'.repeat(40)),
      human('one'),
      human('two'),
      assistant('done'),
    ])
    const { context } = await compactLog(log, { ...options, trigger: 'manual', now: 1_234 })
    const marked = context.items.filter(
      (item) => item.type === 'message' && item.metadata?.time?.compacted === 1_234,
    )
    expect(marked.map(({ seq }) => seq)).toEqual([82])
  })

  it('leaves in the tail what tools say that somebody protected', () => {
    const log = logFrom([
      step('a', 'read', {}, '10'),
      step('b', 'map', {}, '10'),
      human('10'),
      assistant('10'),
      human('10'),
    ])
    const replaced = cutOf(log, 1_000).tail.flatMap((item) =>
      item.type === 'entry' ? (item.replacements ?? []) : [],
    )
    expect(replaced.map(({ ref }) => ref)).toEqual(['2.0'])
  })
})

describe('T8 behind an earlier pruning', () => {
  it('replaces each output once: by the seeds’ placeholder, or as it was replaced before', () => {
    const log = logFrom([
      step('a', 'read', {}, '10'),
      step('b', 'map', {}, '10'),
      human('10'),
      assistant('10'),
      human('10'),
      {
        kind: 'prune',
        at: 0,
        base: 7,
        replacements: [
          { how: 'clipped', ref: '2.0', text: 'the head of a' },
          { how: 'clipped', ref: '4.0', text: 'the head of b' },
        ],
        metadata: {},
      },
    ])
    const replaced = cutOf(log, 1_000).tail.flatMap((item) =>
      item.type === 'entry' ? (item.replacements ?? []) : [],
    )
    expect(replaced).toEqual([
      { how: 'pruned', ref: '2.0', text: '<tool-output-compacted />' },
      { how: 'clipped', ref: '4.0', text: 'the head of b' },
    ])
  })
})

describe('T8, reassembled', () => {
  it('is one system message with the summary, then the tail', async () => {
    const { messages, report } = await compactLog(long(12), {
      ...options,
      summarizer: recording(fiveSections),
    })
    expect(report.rung).toBe('model')
    expect(messages[0]?.role).toBe('system')
    expect(messages[0]?.content).toMatch(
      /^<prior-conversation-summary>\n[\s\S]*\n<\/prior-conversation-summary>$/,
    )
    expect(messages.filter((message) => message.role === 'system')).toHaveLength(1)
    expect(messages.slice(1).some((message) => messageText(message) === 'answer 11')).toBe(true)
  })

  it('returns the messages unchanged where there is nothing to compact', async () => {
    const log = logFrom([human('hello'), assistant('hi')])
    const { messages, report } = await compactLog(log, { ...options, trigger: 'manual' })
    expect(report.action).toBe('none')
    expect(messages.map(messageText)).toEqual(['hello', 'hi'])
  })

  it('returns them unchanged also where a provider says that they overflow', () => {
    const log = logFrom([
      human('hello'),
      step('a', 'read', {}, 'some line of code\n'.repeat(300)),
      human('and now?'),
      assistant('hi'),
    ])
    for (const trigger of ['overflow', 'auto'] as const) {
      const policy = { ...seed, threshold: () => 0 }
      const plan = planCompaction(planInputFor(log, { ...options, policy, trigger }))
      expect(plan).toMatchObject({ action: 'none', reason: 'nothing-to-compact' })
    }
  })

  it('asks for no more words than anyone would write', async () => {
    const summarizer = recording(fiveSections)
    const log = logFrom([
      long(12),
      Array.from({ length: 60 }, () => assistant('yes '.repeat(3_000))),
    ])
    await compactLog(log, {
      window: { context: 200_000 },
      policy: seed,
      trigger: 'manual',
      summarizer,
    })
    const words = /about (\d+) words/.exec(summarizer.requests[0]?.instruction ?? '')?.[1]
    expect(Number(words)).toBeGreaterThan(1_000)
    expect(Number(words)).toBeLessThan(6_000)
  })

  it('sends only the head to the summarizer, never the tail', async () => {
    const summarizer = recording(fiveSections)
    await compactLog(long(12), { ...options, summarizer })
    const [request] = summarizer.requests
    const sent = JSON.stringify(request?.head)
    expect(sent).toContain('request 0')
    expect(sent).not.toContain('answer 11')
  })
})

describe('T8, failure modes', () => {
  it('FM-1: not everything is compacted: the agent still sees what it just did', async () => {
    const { messages } = await compactLog(long(12), options)
    expect(messages.some((message) => message.role === 'tool')).toBe(true)
  })

  it('FM-2: the latest request is in the tail', async () => {
    const { messages } = await compactLog(long(12), options)
    expect(messages.some((message) => messageText(message).startsWith('request 11'))).toBe(true)
  })

  it('FM-3: compacts at the threshold, not one token behind it', () => {
    const at = (context: number): string => {
      const policy = { ...seed, reserved: () => 0 }
      const plan = planCompaction(planInputFor(long(12), { window: { context }, policy }))
      return plan.action === 'none' ? plan.reason : plan.action
    }
    const unbounded = { window: { context: 1_000_000 }, policy: seed }
    const size = planCompaction(planInputFor(long(12), unbounded)).measurement.tokens
    expect(at(size + 1)).toBe('fits')
    expect(at(size)).toBe('summarize')
  })
})
