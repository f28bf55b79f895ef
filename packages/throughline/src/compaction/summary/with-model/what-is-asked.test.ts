import { describe, expect, it } from 'vitest'
import { assistant, human, logFrom, step } from '../../../testing/generate/build.ts'
import { goodSummary, scriptedSummarizer } from '../../../testing/scripted/scripted-summarizer.ts'
import { planInputFor } from '../../../session/once/plan-input.ts'
import { modelTokens } from '../../../tokens/units.ts'
import { askModel } from '../../ask-model.ts'
import { TimeLimitError } from '../../errors.ts'
import { type PlanToSummarize } from '../../plan/plan.ts'
import { planCompaction } from '../../plan/plan-compaction.ts'
import { plannedUnits } from '../../plan/planned-units.ts'
import { defaultPolicy, type Policy } from '../../policy.ts'
import { defaultTemplate } from '../template.ts'
import { withRecordNames } from './record-names.ts'
import { closedCircuitBreaker } from './circuit-breaker.ts'
import { keptMark } from './kept-messages.ts'
import type { ModelSummary } from './summarize-with-model.ts'
import type { Drafts } from '../../../testing/generate/build.ts'
import type { PlannedCut } from '../../cut/planned-cut.ts'
import type { Summarizer, SummaryRequest } from './summarizer.ts'

const steps = Array.from({ length: 12 }, (_, at) => [
  step(`c${at}`, 'Read', { file_path: `src/f${at}.ts` }, `loop${at}();\n`.repeat(900)),
])
const session: Drafts[] = [human('Find the slow loop.'), steps, assistant('It is in f3.')]

interface Given {
  drafts?: Drafts[]
  cut?: (cut: PlannedCut) => Partial<PlannedCut>
  policy?: Partial<Policy>
  focus?: string
  signal?: AbortSignal
}

/** Asks for the summary of a session's head, as a compaction does. */
async function asked(summarizer: Summarizer, given: Given = {}): Promise<ModelSummary> {
  const { drafts = session, cut, policy, focus, signal } = given
  const input = planInputFor(logFrom(drafts), {
    window: { context: 40_000 },
    policy: { ...defaultPolicy, prune: () => undefined, ...policy },
    trigger: 'manual',
  })
  const planned = planCompaction(input)
  if (planned.action !== 'summarize') throw new Error('nothing to summarize')
  const plan: PlanToSummarize = { ...planned, cut: { ...planned.cut, ...cut?.(planned.cut) } }
  const units = plannedUnits(input.context, input.facts(), input.log)
  const options = { now: 5, circuitBreaker: closedCircuitBreaker(), summarizer, focus, signal }
  const summary = await askModel(input, { plan, units }, options, defaultTemplate)
  if (!summary) throw new Error('nobody was asked')
  return summary
}

async function requestOf(given: Given = {}): Promise<SummaryRequest> {
  const summarizer = scriptedSummarizer('good')
  await asked(summarizer, given)
  return summarizer.requests[0] as SummaryRequest
}

describe('what a model is asked for', () => {
  it('is a part of the room, without what code writes itself, and never an endless text', async () => {
    const room = (tokens: number) => () => ({ summaryBudget: modelTokens(tokens) })
    const small = await requestOf({ cut: room(2_000) })
    expect(small.budget).toBeLessThan(1_600)
    expect(small.budget).toBeGreaterThan(1_200)
    expect((await requestOf({ cut: room(100_000) })).budget).toBe(7_000)
    const rules = Array.from({ length: 20 }, (_, at) => `Never touch the folder vendor${at}.`)
    const ruled = [
      human(`Find the slow loop. ${rules.join(' ')}`),
      steps,
      assistant('It is in f3.'),
    ]
    const { budget } = await requestOf({ cut: room(2_000), drafts: ruled })
    expect(budget).toBeLessThan(small.budget - 100)
  })

  it('names what the compaction is about', async () => {
    const request = await requestOf({ focus: 'the slow loop' })
    expect(request).toMatchObject({ focus: 'the slow loop', attempt: 1, template: defaultTemplate })
    expect(request.instruction).toContain('the slow loop')
    expect(request.previous).toBeUndefined()
    expect(request.live).toMatchObject({ now: 5, window: { context: 40_000 } })
    expect(request.through).toBeGreaterThan(1)
  })

  it('is as many characters where the session has no words to count', async () => {
    const answers = steps.map((each, at) => [
      each,
      assistant(`第${at}个循环很慢，因为它每次都读取整个文件。`.repeat(8)),
    ])
    const chinese = await requestOf({ drafts: [human('找到慢的循环。'), answers, human('继续。')] })
    expect(chinese.instruction).toMatch(/about \d+ characters/)
    expect((await requestOf()).instruction).toMatch(/about \d+ words/)
  })

  it('is an update of the summary before, without the names that the record still has', async () => {
    const facts = (await requestOf()).facts
    const before = '## Goal\nFind it.\n\n## Relevant files\n- src/other.ts'
    const count = (text: string): number => text.length / 4
    const named = withRecordNames(before, { facts, budget: 400, count, beside: [] })
    expect(named).toContain('Names from the record:')
    const { previous } = await requestOf({ cut: () => ({ previous: named }) })
    expect(previous).toBe(before)
  })

  it('shows a long message that stays by its beginning and its end, and none without words', async () => {
    const long = `Mend it now. ${'Do it well. '.repeat(1_000)}And tell me at the end.`
    const image = { type: 'image', image: 'aW1hZ2U=', mediaType: 'image/png' } as const
    const { head } = await requestOf({ drafts: [...session, human([image]), human(long)] })
    const kept = head.flatMap(({ content }) =>
      typeof content === 'string' && content.startsWith(keptMark) ? [content] : [],
    )
    expect(kept.length).toBeGreaterThan(0)
    for (const text of kept) expect(text.length).toBeGreaterThan(keptMark.length + 1)
    const last = kept.at(-1) ?? ''
    expect(last).toContain('Mend it now.')
    expect(last).toContain('And tell me at the end.')
    expect(last.length).toBeLessThan(long.length / 3)
    expect(last).toContain('…')
  })
})

describe('an answer', () => {
  const answering = (answer: unknown): Summarizer => ({
    name: 'own',
    summarize: async () => answer as never,
  })

  it('that is nothing at all is one without a text, whose call counts', async () => {
    for (const answer of [undefined, null, { text: 5 }]) {
      const { attempts, spent, summary } = await asked(answering(answer))
      expect(summary).toBeUndefined()
      expect(attempts).toMatchObject([
        { problems: ['it had no text'], calls: [{ model: 'own' }] },
        { problems: ['it had no text'], calls: [{ model: 'own' }] },
      ])
      expect(spent).toEqual({ calls: 2, inputTokens: 0, outputTokens: 0 })
    }
  })

  it('whose calls are not told is one call with its usage', async () => {
    const usage = { inputTokens: 10, outputTokens: 5 }
    const told = await asked({
      name: 'own',
      summarize: async (request) => ({ text: goodSummary(request), finish: 'stop', usage }),
    })
    expect(told.attempts).toMatchObject([{ calls: [{ model: 'own', usage }], usage }])
    expect(told.spent).toEqual({ calls: 1, ...usage })
    const untold = await asked({
      name: 'own',
      summarize: async (request) => ({ text: goodSummary(request), finish: 'stop' }),
    })
    expect(untold.attempts[0]?.calls).toEqual([{ model: 'own' }])
  })

  it('in whose room not even the latest request fits is refused', async () => {
    const { summary, attempts } = await asked(scriptedSummarizer('good'), {
      cut: () => ({ summaryBudget: modelTokens(8) }),
    })
    expect(summary).toBeUndefined()
    expect(attempts.map(({ problems }) => problems)).toEqual([
      ['not even the latest request fits'],
      ['not even the latest request fits'],
    ])
  })

  it('that does not come in time is not waited for again', async () => {
    let calls = 0
    const { attempts } = await asked({
      name: 'own',
      summarize: async () => {
        calls += 1
        throw new TimeLimitError({ who: 'summarizer', name: 'own', limit: 1_000 })
      },
    })
    expect([calls, attempts.length]).toEqual([1, 1])
  })

  it('that comes once all was stopped is thrown away, and so is an error', async () => {
    for (const end of ['answer', 'error'] as const) {
      const stop = new AbortController()
      const summarizer: Summarizer = {
        name: 'own',
        summarize: async (request) => {
          stop.abort(new Error('enough'))
          if (end === 'error') throw new Error('500')
          return { text: goodSummary(request), finish: 'stop' }
        },
      }
      await expect(asked(summarizer, { signal: stop.signal })).rejects.toThrow('enough')
    }
  })

  it('is asked for as often as the policy says', async () => {
    for (const [attempts, times] of [
      [-1, 0],
      [0, 0],
      [1, 1],
      [3, 3],
      [9, 4],
    ] as const) {
      const summarizer = scriptedSummarizer('throws')
      const told = await asked(summarizer, { policy: { attempts } })
      expect(told).toMatchObject({ summary: undefined, rung: 'model', summarizer: 'scripted' })
      expect([told.attempts.length, summarizer.requests.length]).toEqual([times, times])
    }
  })

  it('is asked for by the newer half of the head, the smaller where it cannot be halved', async () => {
    const summarizer = scriptedSummarizer('throws')
    const three = ({ head }: PlannedCut) => ({ head: head.slice(0, 3) })
    await asked(summarizer, { cut: three, policy: { tailTurns: 0 } })
    const heads = summarizer.requests.map(({ head }) =>
      head.flatMap(({ role, content }) =>
        role === 'assistant' ? JSON.stringify(content).match(/src\/f\d+\.ts/g) : [],
      ),
    )
    expect(heads[0]?.length).toBeGreaterThan(1)
    expect(heads[2]).toEqual(heads[0]?.slice(-1))
    expect(heads[3]).toEqual(heads[2])
  })

  it('is filled from the record up to half of what it replaces, and has names where they are wanted', async () => {
    const named = await asked(scriptedSummarizer('good'))
    expect(named.summary).toContain('Names from the record:')
    const bare = await asked(scriptedSummarizer('good'), { policy: { names: () => 0 } })
    expect(bare.summary).not.toContain('Names from the record:')
    const little = step('little', 'Read', { file_path: 'src/little.ts' }, 'loop();\n'.repeat(300))
    const small = await asked(scriptedSummarizer('good'), {
      drafts: [human('Find the slow loop.'), little, steps, assistant('It is in f3.')],
      cut: ({ head }) => ({ head: head.slice(0, 1) }),
    })
    expect(small.summary).toBeDefined()
    expect(small.summary?.length ?? 0).toBeLessThan(named.summary?.length ?? 0)
  })
})
