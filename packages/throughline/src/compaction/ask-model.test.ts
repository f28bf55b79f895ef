import { describe, expect, it } from 'vitest'
import { contextOf } from '../log/context/context.ts'
import { counterOf } from '../tokens/counter.ts'
import { factsOf } from '../facts/facts-of.ts'
import { assistant, human, logFrom, step } from '../testing/generate/build.ts'
import { scriptedSummarizer } from '../testing/scripted/scripted-summarizer.ts'
import { askModel, failureOf } from './ask-model.ts'
import { defaultPolicy } from './policy.ts'
import { type PlanInput, type PlanToSummarize } from './plan/plan.ts'
import { planCompaction } from './plan/plan-compaction.ts'
import { defaultTemplate } from './summary/template.ts'
import { plannedUnits } from './plan/planned-units.ts'
import type { CompactOptions } from './compaction.ts'
import type { SummaryRequest } from './summary/with-model/summarizer.ts'
import type { Unit } from '../log/steps.ts'
import type { Usage } from '../log/entry.ts'

const closed: CompactOptions = { now: 7, circuitBreaker: { failures: 0, paused: 0, seq: 0 } }

/** A session that is about to be summarized, behind an answer with this usage. */
function due(usage?: Usage): { input: PlanInput; made: { plan: PlanToSummarize; units: Unit[] } } {
  const log = logFrom([
    human('Old.'),
    ...Array.from({ length: 30 }, (_, at) => step(`c${at}`, 'Read', { at }, 'word '.repeat(600))),
    assistant('So.', usage ? { usage, at: 5 } : {}),
    human('Go on.'),
  ])
  const facts = factsOf(log)
  const input: PlanInput = {
    log,
    context: contextOf(log),
    facts: () => facts,
    frame: { system: 'Be brief.', model: 'own' },
    window: { context: 32_000 },
    policy: { ...defaultPolicy, prune: () => undefined },
    counter: counterOf({ ratio: 1 }),
    trigger: 'manual',
  }
  const plan = planCompaction(input)
  if (plan.action !== 'summarize') throw new Error(plan.action)
  return { input, made: { plan, units: plannedUnits(input.context, facts, log) } }
}

async function requestFor(usage?: Usage, own: Partial<CompactOptions> = {}) {
  const { input, made } = due(usage)
  const asked: SummaryRequest[] = []
  const summarizer = scriptedSummarizer('good')
  const recording = {
    ...summarizer,
    summarize: (...given: Parameters<typeof summarizer.summarize>) => {
      asked.push(given[0])
      return summarizer.summarize(...given)
    },
  }
  const model = await askModel(
    input,
    made,
    { ...closed, ...own, summarizer: recording },
    defaultTemplate,
  )
  return { asked, model, plan: made.plan }
}

describe('a summarizer', () => {
  it('is told the request that it stands in for, and what of it the provider has cached', async () => {
    const cached = { cacheReadTokens: 9_000, cacheWriteTokens: 400 }
    const { asked, plan } = await requestFor({ inputTokens: 20_000, outputTokens: 9, ...cached })
    expect(asked[0]?.live).toMatchObject({
      system: 'Be brief.',
      model: 'own',
      now: 7,
      tokens: plan.measurement.tokens,
      cached: { tokens: 9_400, at: 5 },
    })
  })

  it('is told of no cache where nothing was cached, or nothing is known', async () => {
    expect((await requestFor({ inputTokens: 9, outputTokens: 9 })).asked[0]?.live?.cached).toBe(
      undefined,
    )
    expect((await requestFor()).asked[0]?.live?.cached).toBe(undefined)
  })

  it('is told what the summary should dwell on', async () => {
    const { asked } = await requestFor(undefined, { focus: 'the parser' })
    expect(asked[0]?.focus).toBe('the parser')
  })

  it('is not asked while its breaker is open, nor where there is nothing to summarize', async () => {
    const circuitBreaker = { failures: 3, paused: 0, seq: 0 }
    expect((await requestFor(undefined, { circuitBreaker })).model).toBeUndefined()
    const { input, made } = due()
    const options = { ...closed, summarizer: scriptedSummarizer('good') }
    const empty = { ...made, plan: { ...made.plan, cut: { ...made.plan.cut, through: 0 } } }
    expect(await askModel(input, empty, options, defaultTemplate)).toBeUndefined()
    expect(options.summarizer.requests).toHaveLength(0)
  })
})

describe('what failed', () => {
  it('is noted once, with what it cost where no checkpoint tells it', async () => {
    const { input, made } = due()
    const options = { ...closed, summarizer: scriptedSummarizer('empty') }
    const model = await askModel(input, made, options, defaultTemplate)
    const problems = model?.attempts.flatMap((attempt) => attempt.problems) ?? []
    expect(problems.length).toBeGreaterThan(0)
    const note = { type: 'failure', summarizer: 'scripted', problems }
    expect(failureOf(model, options, 'in the checkpoint')).toEqual([
      { kind: 'observation', at: 7, observation: note },
    ])
    expect(failureOf(model, options, 'here')).toEqual([
      { kind: 'observation', at: 7, observation: { ...note, spent: model?.spent } },
    ])
    expect(model?.spent).toBeDefined()
  })

  it('is nothing where a summary came, or nobody was asked', async () => {
    const { model } = await requestFor()
    expect(model?.summary).toBeDefined()
    expect(failureOf(model, closed, 'here')).toEqual([])
    expect(failureOf(undefined, closed, 'here')).toEqual([])
  })
})
