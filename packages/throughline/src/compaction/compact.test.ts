import { describe, expect, it } from 'vitest'
import { planInputFor } from '../session/once/plan-input.ts'
import { human, logFrom, step } from '../testing/generate/build.ts'
import {
  scriptedSummarizer,
  type ScriptedSummary,
} from '../testing/scripted/scripted-summarizer.ts'
import { compact } from './compact.ts'
import { ContextFloorError } from './errors.ts'
import { defaultPolicy, type Policy } from './policy.ts'
import { basisOf, type Prepared } from './prepare/prepared.ts'
import { defaultTemplate } from './summary/template.ts'
import type { Chronological } from '../log/order.ts'
import type { Message } from '../log/message.ts'
import type { CompactOptions } from './compaction.ts'
import type { Trigger } from './trigger.ts'
import type {
  ProviderAnswer,
  ProviderCompactor,
  ProviderRequest,
} from './provider/provider-compactor.ts'

const circuitBreaker = { failures: 0, paused: 0, seq: 0 }
const log = logFrom([
  human('Find the slow loop.'),
  ...Array.from({ length: 40 }, (_, at) =>
    step(`c${at}`, 'Read', { file_path: `src/f${at}.ts` }, `loop${at}();\n`.repeat(150)),
  ),
])

function compacted(
  policy: Partial<Policy>,
  {
    trigger = 'manual',
    context = 60_000,
    of = log,
    ...options
  }: Partial<CompactOptions> & { trigger?: Trigger; context?: number; of?: Chronological } = {},
) {
  const own = { ...defaultPolicy, prune: () => undefined, ...policy }
  const input = planInputFor(of, { window: { context }, policy: own, trigger })
  return compact(input, { now: 7, circuitBreaker, ...options })
}

describe('the rungs of a compaction', () => {
  it('begin with the model, whose summary stands in the report with what it cost', async () => {
    const summarizer = scriptedSummarizer('good')
    const { report, drafts } = await compacted({}, { summarizer })
    expect(report).toMatchObject({ rung: 'model', summarizer: 'scripted', fits: true })
    expect(report.attempts).toHaveLength(1)
    expect(drafts).toMatchObject([{ kind: 'checkpoint', summarizer: 'scripted' }])
    expect(report.spent).toBeDefined()
    expect(drafts[0]).toMatchObject({ metadata: { spent: report.spent, trigger: 'manual' } })
  })

  it('give the tail what the facts leave of the room', async () => {
    for (const keep of [6_000, 8_000, 10_000, 12_000]) {
      const { report } = await compacted({ keep: () => keep })
      expect(report.rung).toBe('local')
      // A step has about 700 tokens.
      expect(report.after).toBeGreaterThan(keep - 1_500)
      expect(report.after).toBeLessThanOrEqual(keep)
    }
  })

  it('tell a summarizer and the local summary alike what to dwell on', async () => {
    const summaryWith = async (focus: string): Promise<string> => {
      const { drafts } = await compacted({ keep: () => 2_500 }, { focus })
      return drafts[0]?.kind === 'checkpoint' ? drafts[0].summary : ''
    }
    expect(await summaryWith('src/f7.ts')).toContain('f7.ts')
    const summarizer = scriptedSummarizer('good')
    await compacted({}, { summarizer, focus: 'src/f7.ts' })
    expect(summarizer.requests[0]?.focus).toBe('src/f7.ts')
  })
})

it('other work comes between dividing a session, cutting it and summarizing it', async () => {
  const order: string[] = []
  const pause = (): void => void order.push('pause')
  await compacted({}, { pause, onPlan: () => void order.push('plan') })
  const planned = order.indexOf('plan')
  expect(planned).toBeGreaterThan(1)
  expect(order[planned + 1]).toBe('pause')
})

describe('a provider that compacts by itself', () => {
  const sealed: Message = {
    role: 'assistant',
    content: [{ type: 'custom', kind: 'openai.compaction' }],
  }
  const calls = [{ model: 'own', usage: { inputTokens: 900, outputTokens: 90 } }]

  async function tried(
    providerCompaction: Policy['providerCompaction'],
    answer: () => ProviderAnswer,
    said: ScriptedSummary,
  ) {
    const asked: ProviderRequest[] = []
    const summarizer = scriptedSummarizer(said)
    const compactor: ProviderCompactor = {
      provider: 'openai',
      name: 'responses/compact',
      compact: async (request) => {
        asked.push(request)
        return answer()
      },
    }
    const compaction = await compacted({ providerCompaction }, { compactor, summarizer })
    const { report, drafts } = compaction
    const draft = drafts.find(({ kind }) => kind === 'checkpoint')
    const block = draft?.kind === 'checkpoint' ? draft.block : undefined
    return { report, block, asked, model: summarizer.requests.length }
  }
  const makes = (): ProviderAnswer => ({ messages: [sealed], calls })

  it('is asked first where the policy says so, and no model behind it', async () => {
    const { report, block, asked, model } = await tried('before', makes, 'good')
    expect([asked.length, model]).toEqual([1, 0])
    expect(asked[0]?.messages.length).toBeGreaterThan(10)
    expect(report).toMatchObject({
      rung: 'provider',
      summarizer: 'responses/compact',
      attempts: [{ rung: 'provider', problems: [], calls, usage: calls[0]?.usage }],
      spent: { calls: 1, inputTokens: 900, outputTokens: 90 },
    })
    expect(block).toMatchObject({ provider: 'openai', messages: [sealed] })
    expect(block?.standing).toContain('Find the slow loop.')
  })

  it.each<[string, () => ProviderAnswer, string]>([
    [
      'fails',
      () => {
        throw new Error('503')
      },
      'the call failed: 503',
    ],
    ['makes none', () => ({ messages: [], calls }), 'the answer holds no compaction'],
  ])('gives way to a model where it %s', async (_, answer, problem) => {
    const { report, block, asked, model } = await tried('before', answer, 'good')
    expect([asked.length, model, block]).toEqual([1, 1, undefined])
    expect(report).toMatchObject({ rung: 'model', summarizer: 'scripted' })
    expect(report.attempts.map(({ rung, problems }) => [rung, problems])).toEqual([
      ['provider', [problem]],
      ['model', []],
    ])
  })

  it('is asked behind a model only where that made nothing, and never where it should not be', async () => {
    const behind = await tried('behind', makes, 'good')
    expect([behind.asked.length, behind.model, behind.report.rung]).toEqual([0, 1, 'model'])
    const failed = await tried('behind', makes, 'refusal')
    expect([failed.asked.length, failed.report.rung]).toEqual([1, 'provider'])
    expect(failed.model).toBeGreaterThan(0)
    const never = await tried('never', makes, 'refusal')
    expect([never.asked.length, never.report.rung]).toEqual([0, 'local'])
  })
})

it('a summary made in advance that is not used says why, whatever is done instead', async () => {
  for (const prune of [defaultPolicy.prune, () => undefined]) {
    const policy = { ...defaultPolicy, prune }
    const input = planInputFor(log, { window: { context: 20_000 }, policy, trigger: 'auto' })
    const wish = { template: defaultTemplate, focus: undefined }
    const prepared = { ...basisOf(input, wish), model: 'another' } as Prepared
    const compaction = await compact(input, { now: 7, circuitBreaker, prepared })
    expect(compaction.prepared).toBe('model-changed')
    expect(compaction.drafts).toHaveLength(1)
  }
})

describe('where less is enough', () => {
  it('nothing is done, and the report says why and whether it fits', async () => {
    const left = (policy: Partial<Policy>, context: number, trigger: Trigger = 'auto') =>
      compacted(policy, { trigger, context }).then(({ drafts, report }) => {
        expect([report.action, drafts]).toEqual(['none', []])
        expect(report.after).toBe(report.before)
        return [report.reason, report.fits]
      })
    expect(await left({}, 1_000_000)).toEqual(['fits', true])
    expect(await left({ auto: false }, 1_000_000)).toEqual(['off', true])
    expect(await left({ auto: false }, 20_000)).toEqual(['off', false])
    expect(await left({ auto: false }, 20_000, 'overflow')).toEqual(['off', false])
  })

  it('outputs are pruned, and nobody is asked for a summary', async () => {
    const summarizer = scriptedSummarizer('good')
    const planned: string[] = []
    const { report, drafts } = await compacted(
      { prune: defaultPolicy.prune, pruneAlone: () => true },
      {
        trigger: 'auto',
        context: 20_000,
        summarizer,
        onPlan: ({ action }) => void planned.push(action),
      },
    )
    expect(planned).toEqual(['prune'])
    expect(summarizer.requests).toEqual([])
    expect(drafts).toMatchObject([
      { kind: 'prune', at: 7, base: log.length, metadata: { time: { compacted: 7 } } },
    ])
    expect(report).toMatchObject({ action: 'prune', rung: 'prune', fits: true, trigger: 'auto' })
    expect(report.after).toBeLessThan(report.before / 2)
    expect(report.dropped.results.length).toBeGreaterThan(0)
  })
})

describe('what no compaction makes fit', () => {
  // A request that stands whatever happens, of which only the middle can go.
  const asked = logFrom([human('word '.repeat(30_000)), ...step('a', 'Read', {}, 'x')])

  it('is committed where somebody asked for it, and said not to fit', async () => {
    const { report, drafts } = await compacted(
      { reserved: () => 52_000 },
      { trigger: 'manual', context: 60_000, of: log },
    )
    expect(drafts).toHaveLength(1)
    expect(report).toMatchObject({ action: 'summary', trigger: 'manual' })
    expect(report.fits).toBe(report.after < 8_000)
  })

  it('is an error before a request, which says what fills the window', async () => {
    const reserved = () => 3_900
    const failed = compacted({ reserved }, { trigger: 'auto', context: 4_000, of: asked })
    await expect(failed).rejects.toBeInstanceOf(ContextFloorError)
  })
})

it('a compaction ends before it begins where its signal was aborted', async () => {
  const reason = new Error('enough')
  await expect(compacted({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
})
