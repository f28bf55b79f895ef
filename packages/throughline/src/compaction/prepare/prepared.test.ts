import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contextOf } from '../../log/context/context.ts'
import { coreHeadings } from '../../facts/summary/sections/core-sections.ts'
import { parseSections, sectionBody } from '../../facts/sections.ts'
import { chronological, type Chronological } from '../../log/order.ts'
import { planInputFor } from '../../session/once/plan-input.ts'
import { assistant, human, logFrom, result, step, tool } from '../../testing/generate/build.ts'
import { runs } from '../../testing/generate/runs.ts'
import { arbitrarySession } from '../../testing/generate/session.ts'
import { illegalities } from '../../testing/legal.ts'
import { scriptedSummarizer } from '../../testing/scripted/scripted-summarizer.ts'
import { compact } from '../compact.ts'
import type { Compaction } from '../compaction.ts'
import { closedCircuitBreaker } from '../summary/with-model/circuit-breaker.ts'
import { measureItems } from '../measure/measure.ts'
import { defaultPolicy, type Policy } from '../policy.ts'
import { planPreparation, prepare } from './prepare.ts'
import { renderContext } from '../render/render.ts'
import { summaryAsUser } from '../render/summary-block.ts'
import type { Entry, EntryDraft, Observation } from '../../log/entry.ts'
import type { PlanInput } from '../plan/plan.ts'
import type { Trigger } from '../trigger.ts'
import type { Prepared } from './prepared.ts'
import type { Template } from '../summary/template.ts'

// Nothing is pruned, and the mark is as high as it can be, so that most of what is made is used.
const policy: Policy = {
  ...defaultPolicy,
  prepareAt: () => 0,
  lowWater: (usable) => Math.floor(usable * 0.9),
  prune: () => undefined,
}
const circuitBreaker = closedCircuitBreaker()
const summarizer = scriptedSummarizer('good')

function inputOf(log: Chronological, context: number, trigger: Trigger = 'manual'): PlanInput {
  return planInputFor(log, { window: { context }, policy, trigger })
}

/** A window in which this log takes about 80% of what is usable. */
function windowOf(log: Chronological): number {
  const { context, counter } = inputOf(log, 1e9)
  return Math.max(4_000, Math.ceil(measureItems(context.items, counter, summaryAsUser) / 0.6))
}

async function preparedOf(log: Chronological, window: number): Promise<Prepared | undefined> {
  const input = inputOf(log, window)
  const plan = planPreparation(input)
  if (!plan) return undefined
  return (await prepare(input, plan, { now: 0, circuitBreaker, summarizer })).prepared
}

function grown(log: Chronological, drafts: readonly EntryDraft[]): Chronological {
  const added = drafts.map((draft, index): Entry => ({ ...draft, seq: log.length + index + 1 }))
  return chronological([...log, ...added])
}

function compacted(
  log: Chronological,
  window: number,
  prepared: Prepared,
  wish: { focus?: string; template?: Template } = {},
): Promise<Compaction> {
  return compact(inputOf(log, window), { now: 0, circuitBreaker, prepared, ...wish })
}

const plain = ({ kind }: EntryDraft): boolean => kind === 'message' || kind === 'observation'

const words = 'some words of the source that is looked at here\n'
const before = logFrom([
  human('Look at all of it.'),
  Array.from({ length: 30 }, (_, n) => step(`c${n}`, 'Read', { path: `f${n}` }, words.repeat(20))),
])

/** What does not depend on what the human says next. */
function foundIn(summary: string): readonly (string | undefined)[] {
  const parsed = parseSections(summary)
  return coreHeadings.slice(2).map((heading) => sectionBody(parsed, heading))
}

describe('a summary that was made before it is needed', () => {
  it('stands with its tail and everything that came since, in pairs that are whole', async () => {
    let used = 0
    await fc.assert(
      fc.asyncProperty(
        arbitrarySession({ maxSteps: 40 }),
        arbitrarySession({ maxSteps: 10 }),
        async (drafts, more) => {
          const log = logFrom(drafts.filter(plain))
          const window = windowOf(log)
          const prepared = await preparedOf(log, window)
          if (!prepared) return
          const later = grown(log, renamed(more.filter(plain)))
          const { drafts: made, prepared: outcome } = await compacted(later, window, prepared)
          if (outcome !== 'used') return
          used += 1
          const after = contextOf(grown(later, made))
          const [first, ...rest] = after.items
          expect(first?.type === 'summary' && foundIn(first.summary)).toEqual(
            foundIn(prepared.summary),
          )
          const since = later.filter(({ kind, seq }) => kind === 'message' && seq > prepared.base)
          const kept = prepared.cut.tail.flatMap((item) =>
            item.type === 'entry' ? [item.seq] : [],
          )
          const shown = rest.flatMap((item) =>
            item.type === 'message' || item.type === 'late' ? [item.seq] : [],
          )
          const continuation = rest.find((item) => item.type === 'continuation')
          const repeated = continuation?.continuation.of
          const expected = [...kept, ...since.map(({ seq }) => seq)]
          expect(shown).toEqual(expected.filter((seq) => seq !== repeated))
          const { messages } = renderContext(after.items, summaryAsUser)
          expect(illegalities(messages)).toEqual([])
        },
      ),
      runs(40),
    )
    expect(used).toBeGreaterThan(5)
  })

  it('keeps what came since word for word', async () => {
    const window = windowOf(before)
    const prepared = (await preparedOf(before, window)) as Prepared
    const since = [...step('late', 'Read', { path: 'new.ts' }, words.repeat(10)), human('And now?')]
    const { drafts, report } = await compacted(grown(before, since), window, prepared)
    expect(report).toMatchObject({ action: 'summary', prepared: true, summarizer: 'scripted' })
    const { items } = contextOf(grown(before, [...since, ...drafts]))
    const { messages } = renderContext(items, summaryAsUser)
    const said = since.flatMap((draft) => (draft.kind === 'message' ? [draft.message] : []))
    expect(messages.slice(-3)).toEqual(said)
  })

  it('has no rule in force that the human took back since, and their newest request', async () => {
    const rules = 'Look at all of it.\n\n- Do not commit anything.\n- Never touch config/prod.ts.'
    const log = logFrom([
      human(rules),
      Array.from({ length: 30 }, (_, n) =>
        step(`c${n}`, 'Read', { path: `f${n}` }, words.repeat(20)),
      ),
    ])
    const window = windowOf(log)
    const prepared = (await preparedOf(log, window)) as Prepared
    expect(prepared.summary).toContain('- Do not commit anything. [1]')
    const asked = 'I changed my mind about commits: from now on commit after every finished module.'
    const { drafts } = await compacted(grown(log, [human(asked)]), window, prepared)
    const [{ summary = '' } = {}] = drafts as { summary?: string }[]
    const parsed = parseSections(summary)
    const instructions = sectionBody(parsed, 'Instructions')
    expect(instructions).not.toContain('- Do not commit anything. [1]')
    expect(instructions).toContain(`- Taken back [${log.length + 1}]: Do not commit anything. [1]`)
    expect(instructions).toContain('- Never touch config/prod.ts. [1]')
    expect(sectionBody(parsed, 'Goal')).toContain(`Latest request [${log.length + 1}]`)
    expect(summary.match(/^Latest request/gm)).toHaveLength(1)
    expect(foundIn(summary)).toEqual(foundIn(prepared.summary))
  })

  it('keeps a result that came since too late for its call', async () => {
    const window = windowOf(before)
    const prepared = (await preparedOf(before, window)) as Prepared
    const [asked] = step('gone', 'Read', { path: 'late.ts' }, '')
    const since = [
      ...(asked ? [asked] : []),
      assistant('I go on without it.'),
      tool(result('gone', 'Read', 'came late')),
      human('And now?'),
    ]
    const { drafts, prepared: outcome } = await compacted(grown(before, since), window, prepared)
    expect(outcome).toBe('used')
    const { items } = contextOf(grown(before, [...since, ...drafts]))
    const { messages } = renderContext(items, summaryAsUser)
    expect(JSON.stringify(messages)).toContain('came late')
    expect(illegalities(messages)).toEqual([])
  })

  it('tells what it cost, and whether it was used early because the cache was cold', async () => {
    const window = windowOf(before)
    const prepared = (await preparedOf(before, window)) as Prepared
    expect(prepared.spent).toBeDefined()
    const { drafts, report } = await compacted(before, window, prepared)
    expect(report.spent).toEqual(prepared.spent)
    expect(drafts).toMatchObject([{ metadata: { spent: prepared.spent } }])
    expect(report).not.toHaveProperty('cold')
    const free = { ...prepared, spent: undefined }
    const unpaid = await compacted(before, window, free)
    expect(unpaid.report).not.toHaveProperty('spent')
    expect(unpaid.drafts[0]).not.toHaveProperty('metadata.spent')
    expect(report).toMatchObject({ fits: true, dropped: { results: expect.any(Array) } })
    const cold = { ...inputOf(before, window, 'auto'), cold: 'gap' } as const
    const early = await compact(cold, { now: 0, circuitBreaker, prepared })
    expect(early).toMatchObject({ prepared: 'used', report: { cold: 'gap', prepared: true } })
  })

  it('keeps the marker of what its tail leaves out, and tells its plan', async () => {
    const window = windowOf(before)
    const prepared = (await preparedOf(before, window)) as Prepared
    const left = { type: 'omission', from: 2, to: 3, text: '[1 step is left out here.]' } as const
    const cut = { ...prepared.cut, tail: [left, ...prepared.cut.tail] }
    const planned: string[] = []
    const { drafts } = await compact(inputOf(before, window), {
      now: 0,
      circuitBreaker,
      prepared: { ...prepared, cut },
      onPlan: ({ action }) => void planned.push(action),
    })
    expect(planned).toEqual(['summarize'])
    const [draft] = drafts
    expect(draft?.kind === 'checkpoint' && draft.tail[0]).toEqual(left)
  })

  it('is made only where pruning will not be enough', () => {
    const input = inputOf(before, windowOf(before), 'auto')
    expect(planPreparation(input)).toBeDefined()
    const prune = (): { replacements: []; freed: never } => ({
      replacements: [],
      freed: 1 as never,
    })
    expect(
      planPreparation({ ...input, policy: { ...policy, prune, pruneAlone: () => true } }),
    ).toBeUndefined()
  })

  it('waits while nothing is due, and is made by nobody where there is no summarizer', async () => {
    const window = windowOf(before)
    const prepared = (await preparedOf(before, window)) as Prepared
    const input = inputOf(before, window, 'auto')
    const { report, drafts } = await compact(input, { now: 0, circuitBreaker, prepared })
    expect([report.action, report.reason, drafts]).toEqual(['none', 'fits', []])
    const plan = planPreparation(input)
    expect(plan && (await prepare(input, plan, { now: 0, circuitBreaker }))).toEqual({
      prepared: undefined,
      attempts: [],
      spent: undefined,
    })
  })

  it('takes the result of a call that waited when it was made', async () => {
    const waiting = step('open', 'Read', { path: 'a.ts' }, '').slice(0, 1)
    const log = grown(before, waiting)
    const window = windowOf(log)
    const prepared = (await preparedOf(log, window)) as Prepared
    const answered = grown(log, [tool(result('open', 'Read', 'here it is'))])
    const { drafts, prepared: outcome } = await compacted(answered, window, prepared)
    expect(outcome).toBe('used')
    const { messages } = renderContext(contextOf(grown(answered, drafts)).items, summaryAsUser)
    expect(illegalities(messages)).toEqual([])
    expect(JSON.stringify(messages.at(-2))).toContain('here it is')
  })

  it('is not used where a result has come between what it covers', async () => {
    const [asked] = step('open', 'Read', { path: 'a.ts' }, '')
    const log = grown(before, [...(asked ? [asked] : []), human('And now?')])
    const window = windowOf(log)
    const prepared = (await preparedOf(log, window)) as Prepared
    const answered = grown(log, [tool(result('open', 'Read', 'here it is'))])
    await expect(compacted(log, window, prepared)).resolves.toMatchObject({ prepared: 'used' })
    await expect(compacted(answered, window, prepared)).resolves.toMatchObject({
      prepared: 'view-changed',
    })
  })

  it.each<[string, EntryDraft, string]>([
    ['a redaction', observed({ type: 'redaction', seqs: [3] }), 'view-changed'],
    [
      'a refusal of reasoning',
      observed({ type: 'reasoning', provider: 'refuses' }),
      'view-changed',
    ],
    ['a pin', { kind: 'pin', at: 0, text: 'Never push.' }, 'view-changed'],
    ['an unpin', { kind: 'unpin', at: 0, pin: 1 }, 'view-changed'],
    ['a rewind', { kind: 'rewind', at: 0, to: 40 }, 'view-changed'],
    ['a calibration', observed({ type: 'calibration', ratio: 1 }), 'used'],
    ['a note', observed({ type: 'note', name: 'mine', data: {} }), 'used'],
  ])('says after %s whether what it covers has changed', async (_, change, outcome) => {
    const window = windowOf(before)
    const prepared = (await preparedOf(before, window)) as Prepared
    const later = grown(before, [change])
    await expect(compacted(later, window, prepared)).resolves.toMatchObject({ prepared: outcome })
  })

  it('is used as long as it reaches the low-water mark, and not a token above', async () => {
    const window = windowOf(before)
    const prepared = (await preparedOf(before, window)) as Prepared
    const since = grown(before, [human(words.repeat(100))])
    const { report } = await compacted(since, window, prepared)
    const underMark = (mark: number): Promise<Compaction> => {
      const input = inputOf(since, window)
      const own = { ...policy, lowWater: () => mark }
      return compact({ ...input, policy: own }, { now: 0, circuitBreaker, prepared })
    }
    await expect(underMark(report.after)).resolves.toMatchObject({
      prepared: 'used',
      plan: { action: 'summarize' },
      report: { after: report.after, fits: true },
    })
    const above = await underMark(report.after - 1)
    expect(above.report.after).toBeLessThan(report.after)
  })

  it('is not used where it makes nothing smaller', async () => {
    const window = windowOf(before)
    const prepared = (await preparedOf(before, window)) as Prepared
    const { report } = await compacted(before, window, prepared)
    const freed = report.before - report.after
    const padded = (tokens: number): Prepared => ({
      ...prepared,
      summary: `${prepared.summary}\n${'word '.repeat(tokens)}`,
    })
    const input = inputOf(before, window)
    const roomy = {
      ...input,
      policy: { ...policy, lowWater: (usable: number) => usable, reserved: () => 0 },
    }
    const used = (made: Prepared) => compact(roomy, { now: 0, circuitBreaker, prepared: made })
    await expect(used(padded(Math.floor(freed / 2)))).resolves.toMatchObject({ prepared: 'used' })
    await expect(used(padded(freed * 2))).resolves.toMatchObject({ prepared: 'too-large' })
  })

  it.each<[string, EntryDraft]>([
    ['a pruning', { kind: 'prune', at: 0, base: 61, replacements: [], metadata: {} }],
    ['a rewind', { kind: 'rewind', at: 0, to: 40 }],
    ['a pin', { kind: 'pin', at: 0, text: 'Never push.' }],
    ['an unpin', { kind: 'unpin', at: 0, pin: 1 }],
    ['a redaction', { kind: 'observation', at: 0, observation: { type: 'redaction', seqs: [3] } }],
    [
      'a compaction of somebody else',
      {
        kind: 'checkpoint',
        at: 0,
        base: 61,
        summary: 'another',
        summarizer: 'other',
        tail: [{ type: 'entry', seq: 60 }],
        continuation: null,
        metadata: {},
      },
    ],
  ])('is not used after %s', async (_, change) => {
    const window = windowOf(before)
    const prepared = (await preparedOf(before, window)) as Prepared
    const { prepared: outcome } = await compacted(grown(before, [change]), window, prepared)
    expect(outcome ?? 'nothing to do').not.toBe('used')
  })

  it('is not used for another model, in a smaller window, or where something else is asked for', async () => {
    const window = windowOf(before)
    const prepared = (await preparedOf(before, window)) as Prepared
    const other = { ...prepared, model: 'another' }
    await expect(compacted(before, window, other)).resolves.toMatchObject({
      prepared: 'model-changed',
    })
    await expect(compacted(before, window - 500, prepared)).resolves.toMatchObject({
      prepared: 'window-changed',
    })
    await expect(
      compacted(before, window, prepared, { focus: 'the tests' }),
    ).resolves.toMatchObject({ prepared: 'request-changed' })
    const template = { sections: [{ heading: 'Mood', guide: 'How it feels.' }] }
    await expect(compacted(before, window, prepared, { template })).resolves.toMatchObject({
      prepared: 'request-changed',
    })
  })

  it('takes one output that is too large clipped, with its ref', async () => {
    const window = windowOf(before)
    const prepared = (await preparedOf(before, window)) as Prepared
    const flood = step('flood', 'Read', { path: 'all.ts' }, words.repeat(2_000))
    const later = grown(before, flood)
    const { drafts, prepared: outcome, plan } = await compacted(later, window, prepared)
    expect(outcome).toBe('used')
    const { items } = contextOf(grown(later, drafts))
    const { messages } = renderContext(items, summaryAsUser)
    expect(illegalities(messages)).toEqual([])
    expect(JSON.stringify(messages)).toContain('63.0')
    const size = measureItems(items, inputOf(later, window).counter, summaryAsUser)
    expect(size).toBeLessThanOrEqual(plan.budget.lowWater)
  })

  it('is not used where so much came that it would not reach the low-water mark', async () => {
    const window = windowOf(before)
    const prepared = (await preparedOf(before, window)) as Prepared
    const flood = Array.from({ length: 400 }, () => human(words.repeat(5)))
    const { prepared: outcome, report } = await compacted(grown(before, flood), window, prepared)
    expect(outcome).toBe('too-large')
    expect(report).toMatchObject({ action: 'summary', fits: true })
  })
})

function observed(observation: Observation): EntryDraft {
  return { kind: 'observation', at: 0, observation }
}

/** The same with call ids of their own, as they would be in one session. */
function renamed(drafts: readonly EntryDraft[]): EntryDraft[] {
  return JSON.parse(JSON.stringify(drafts).replace(/("toolCallId":")/g, '$1later-')) as EntryDraft[]
}
