import { describe, expect, it } from 'vitest'
import { planInputFor } from '../../session/once/plan-input.ts'
import { human, logFrom, step } from '../../testing/generate/build.ts'
import { defaultPolicy, type Policy } from '../policy.ts'
import { estimatedTokens } from '../../tokens/units.ts'
import { planPreparation, prepare } from '../prepare/prepare.ts'
import { scriptedSummarizer } from '../../testing/scripted/scripted-summarizer.ts'
import { compactWithHooks } from './compact-with-hooks.ts'
import { draftOf } from '../../log/entry.ts'
import type { CheckpointDraft } from '../../log/entry.ts'
import type { Compaction, CompactOptions } from '../compaction.ts'
import type { PlanInput } from '../plan/plan.ts'
import type { Trigger } from '../trigger.ts'
import type { AfterSummary, BeforeCompaction, CompactionHooks } from './hooks.ts'

const log = logFrom([
  human('Find the slow loop, and never touch the folder vendor.'),
  ...Array.from({ length: 40 }, (_, at) =>
    step(`c${at}`, 'Read', { file_path: `src/f${at}.ts` }, `loop${at}();\n`.repeat(150)),
  ),
])
const options: CompactOptions = { now: 7, circuitBreaker: { failures: 0, paused: 0, seq: 0 } }
const sections = ['Goal', 'Instructions', 'Discoveries', 'Accomplished', 'Relevant files']
const summaryOf = (text: string): string =>
  sections.map((heading) => `## ${heading}\n${text}`).join('\n\n')

function inputOf(trigger: Trigger = 'manual', context = 60_000): PlanInput {
  const policy = { ...defaultPolicy, prune: () => undefined }
  return planInputFor(log, { window: { context }, policy, trigger })
}

type Refusal = Parameters<CompactionHooks['refused']>[0]

async function compacted(
  hooks: Partial<CompactionHooks>,
  input = inputOf(),
  more: Partial<CompactOptions> = {},
): Promise<{ compaction: Compaction; draft: CheckpointDraft | undefined; refusals: Refusal[] }> {
  const refusals: Refusal[] = []
  const refused = (refusal: Refusal): void => void refusals.push(refusal)
  const compaction = await compactWithHooks(input, { ...options, ...more }, { refused, ...hooks })
  const draft = compaction.drafts.find(({ kind }) => kind === 'checkpoint')
  return { compaction, refusals, draft: draft?.kind === 'checkpoint' ? draft : undefined }
}

describe('a hook before a compaction', () => {
  it('sees what is about to be done and to what, and changes nothing by looking', async () => {
    const asked: BeforeCompaction[] = []
    const plain = await compacted({})
    const seen = await compacted({ before: async (request) => void asked.push(request) })
    expect(seen.compaction.drafts).toEqual(plain.compaction.drafts)
    expect(asked).toMatchObject([{ plan: { action: 'summarize' }, log, facts: {} }])
    expect(asked[0]?.messages).toHaveLength(81)
  })

  it('is not asked where there is nothing to do', async () => {
    let asked = 0
    const before = async () => void (asked += 1)
    const { compaction } = await compacted({ before }, inputOf('auto', 1_000_000))
    expect([compaction.report.reason, asked]).toEqual(['fits', 0])
  })

  it('may put off what need not be done, and must not prevent what was asked for', async () => {
    const before = async () => ({ by: 'careful', veto: 'Not now.' })
    const due = planInputFor(log, {
      window: { context: 60_000 },
      policy: { ...defaultPolicy, prune: () => undefined, threshold: () => 1_000 },
      trigger: 'auto',
    })
    const { compaction } = await compacted({ before }, due)
    const { before: size } = compaction.report
    expect(compaction).toMatchObject({
      drafts: [],
      plan: { action: 'none', reason: 'fits' },
      report: { action: 'none', trigger: 'auto', reason: 'fits', fits: true, after: size },
    })
    expect(compaction.report.attempts).toEqual([])
    for (const input of [inputOf('manual'), inputOf('auto', 20_000)]) {
      await expect(compacted({ before }, input)).rejects.toMatchObject({
        code: 'COMPACTION_VETOED',
        plugin: 'careful',
        reason: 'Not now.',
      })
    }
  })

  it('may put off a compaction as long as the request is smaller than what is usable', async () => {
    const before = async () => ({ by: 'careful', veto: 'Not now.' })
    const { report } = (await compacted({})).compaction
    const usable = (tokens: number): PlanInput =>
      planInputFor(log, {
        window: { context: 60_000 },
        policy: {
          ...defaultPolicy,
          prune: () => undefined,
          reserved: ({ context }) => context - tokens,
        },
        trigger: 'auto',
      })
    const due = usable(report.before + 1)
    const above = { ...due, policy: { ...due.policy, threshold: () => report.before } }
    expect((await compacted({ before }, above)).compaction.report).toMatchObject({ fits: true })
    await expect(compacted({ before }, usable(report.before))).rejects.toMatchObject({
      code: 'COMPACTION_VETOED',
      tokens: report.before,
      limit: report.before,
    })
  })

  it('may keep outputs from a pruning', async () => {
    const due = planInputFor(log, {
      window: { context: 24_000 },
      policy: { ...defaultPolicy, recent: () => 2_000, pruneAlone: () => true },
      trigger: 'auto',
    })
    const replaced = ({ drafts: [draft] }: Compaction): string[] =>
      draft?.kind === 'prune' ? draft.replacements.map(({ ref }) => ref) : []
    const plain = replaced((await compacted({}, due)).compaction)
    const keep = ['3.0', '5.0'] as const
    expect(plain).toEqual(expect.arrayContaining([...keep]))
    const before = async () => ({ by: 'keeper', keep })
    const kept = replaced((await compacted({ before }, due)).compaction)
    expect(kept.length).toBeGreaterThan(0)
    expect(kept).not.toContain('3.0')
    expect(kept).not.toContain('5.0')
  })

  it('names what stays to the summary that is made now, not to one that was prepared', async () => {
    const given = inputOf('manual', 36_000)
    const policy = {
      ...given.policy,
      prepareAt: () => 0,
      lowWater: (usable: number) => usable * 0.9,
    }
    const input = { ...given, policy }
    const plan = planPreparation(input)
    if (!plan) throw new Error('nothing to prepare')
    const made = await prepare(input, plan, { ...options, summarizer: scriptedSummarizer('good') })
    const more = { prepared: made.prepared, focus: undefined }
    const looking = await compacted({ before: async () => undefined }, input, more)
    expect(looking.draft).toMatchObject({ at: 7, metadata: { prepared: made.prepared?.base } })
    const before = async () => ({ by: 'keeper', keep: ['2'] as const })
    const kept = await compacted({ before }, input, more)
    expect(kept.draft).toMatchObject({ at: 7, summarizer: 'local' })
    expect(kept.draft?.metadata).not.toHaveProperty('prepared')
  })

  it('announces one plan, also where its own summary was refused', async () => {
    const planned: string[] = []
    const more = { onPlan: ({ action }: { action: string }) => void planned.push(action) }
    const { draft } = await compacted(
      { before: async () => ({ by: 'writer', summary: '' }) },
      inputOf(),
      more,
    )
    expect(planned).toEqual(['summarize'])
    expect(draft).toMatchObject({ at: 7, summarizer: 'local' })
  })

  it('asks no model for a summary that it brings itself', async () => {
    const summarizer = scriptedSummarizer('good')
    const mine = summaryOf('The loop is in src/f3.ts.')
    const before = async () => ({ by: 'writer', summary: mine })
    const { compaction } = await compacted({ before }, inputOf(), { summarizer })
    expect(summarizer.requests).toEqual([])
    expect(compaction.report).toMatchObject({ attempts: [{ summarizer: 'writer', calls: [] }] })
    expect(compaction.report).not.toHaveProperty('spent')
  })

  it('may name what stays', async () => {
    const keep = ['2', '3.0'] as const
    const { draft } = await compacted({ before: async () => ({ by: 'keeper', keep }) })
    const tailOf = (given: CheckpointDraft | undefined): unknown[] =>
      (given?.tail ?? []).map((item) => (item.type === 'entry' ? item.seq : item.type))
    expect(tailOf(draft)).toContain(2)
    expect(tailOf((await compacted({})).draft)).not.toContain(2)
  })

  it('may bring the summary, which is checked like any other', async () => {
    const mine = summaryOf('The loop is in src/f3.ts.')
    const good = await compacted({ before: async () => ({ by: 'writer', summary: mine }) })
    expect(good.draft).toMatchObject({ summarizer: 'writer' })
    expect(good.draft?.summary).toContain('The loop is in src/f3.ts.')
    expect(good.refusals).toEqual([])
    const bad = await compacted({ before: async () => ({ by: 'writer', summary: '' }) })
    expect(bad.refusals).toMatchObject([{ by: 'writer', hook: 'before' }])
    expect(bad.refusals[0]?.problems.length).toBeGreaterThan(0)
    expect(bad.draft).toMatchObject({ summarizer: 'local' })
    expect(bad.compaction.report.attempts).toEqual([])
  })
})

describe('a hook behind a summary', () => {
  it('is told what it may do, and what it says is repaired like any other', async () => {
    const asked: AfterSummary[] = []
    const { draft, compaction, refusals } = await compacted({
      after: async (request) => {
        asked.push(request)
        return { by: 'editor', summary: summaryOf('The loop is in src/f3.ts.') }
      },
    })
    expect(asked).toMatchObject([{ summarizer: 'local', plan: { action: 'summarize' } }])
    const { plan, budget = 0 } = asked[0] ?? {}
    const planned = plan?.action === 'summarize' ? plan.cut.summaryBudget : Infinity
    expect(budget).toBeGreaterThanOrEqual(planned)
    expect(refusals).toEqual([])
    expect(draft).toMatchObject({ metadata: { changedBy: 'editor', trigger: 'manual' } })
    expect(draft?.summary).toContain('The loop is in src/f3.ts.')
    // What the human ruled stands, whoever forgets it.
    expect(draft?.summary).toContain('never touch the folder vendor')
    expect(compaction.report.after).toBeLessThan((await compacted({})).compaction.report.after)
  })

  it('changes nothing where it says nothing new', async () => {
    const plain = await compacted({})
    for (const answer of [undefined, { by: 'editor', summary: plain.draft?.summary ?? '' }]) {
      const { compaction } = await compacted({ after: async () => answer })
      expect(compaction.drafts).toEqual(plain.compaction.drafts)
    }
  })

  it('is refused where its summary is none', async () => {
    const plain = await compacted({})
    const { compaction, refusals } = await compacted({
      after: async () => ({ by: 'editor', summary: ' ' }),
    })
    expect(refusals).toMatchObject([{ by: 'editor', hook: 'after' }])
    expect(refusals[0]?.problems.length).toBeGreaterThan(0)
    expect(compaction.drafts).toEqual(plain.compaction.drafts)
  })

  it('is refused where the next request would be too large, and may make it smaller', async () => {
    // A policy of somebody else: its tail takes more than the mark, and says that it takes nothing.
    const given = inputOf('manual', 20_000)
    const cut: Policy['cut'] = ({ units }) => ({
      head: units.slice(0, 8),
      tail: units.slice(8).flatMap(({ items }) => items.map(({ seq }) => ({ type: 'entry', seq }))),
      tailTokens: estimatedTokens(0),
    })
    const input = { ...given, policy: { ...given.policy, cut } }
    const mine = summaryOf('The loop is in src/f3.ts. '.repeat(20))
    const brought = async () => ({ by: 'writer', summary: mine })
    const plain = await compacted({ before: brought }, input)
    const { report, plan } = plain.compaction
    expect(report.after).toBeGreaterThan(plan.budget.lowWater)
    expect(report.fits).toBe(false)
    const answered = (change: (summary: string) => string) =>
      compacted(
        {
          before: brought,
          after: async ({ summary }) => ({ by: 'editor', summary: change(summary) }),
        },
        input,
      )
    const longer = await answered((summary) => `${summary}\n${'- One more finding.\n'.repeat(40)}`)
    expect(longer.refusals).toMatchObject([{ by: 'editor', hook: 'after' }])
    const [, tokens] =
      /^the next request would have (\d+) tokens$/.exec(`${longer.refusals[0]?.problems}`) ?? []
    expect(Number(tokens)).toBeGreaterThan(report.after)
    expect(longer.compaction).toEqual(plain.compaction)
    const shorter = await answered(() => summaryOf('The loop is in src/f3.ts.'))
    expect(shorter.refusals).toEqual([])
    expect(shorter.compaction.report.after).toBeLessThan(report.after)
    expect(shorter.compaction.report.after).toBeGreaterThan(plan.budget.lowWater)
    expect(shorter.compaction.report.fits).toBe(false)
  })

  it('may make the summary longer where there is room, and the report says that it fits', async () => {
    const mine = summaryOf('The loop is in src/f3.ts.')
    const before = async () => ({ by: 'writer', summary: mine })
    const plain = await compacted({ before })
    const { compaction, draft, refusals } = await compacted({
      before,
      after: async ({ summary }) => ({
        by: 'editor',
        summary: `\n${summary}\n- The loop runs once per file.\n`,
      }),
    })
    expect(refusals).toEqual([])
    expect(draft?.summary).toContain('- The loop runs once per file.')
    expect(draft?.summary).toBe(draft?.summary.trim())
    const { after, fits } = compaction.report
    expect(after).toBeGreaterThan(plain.compaction.report.after)
    expect(fits).toBe(after < compaction.plan.budget.usable)
    expect(fits).toBe(true)
  })

  it('is refused where what it says before the summary leaves no room for what must stand', async () => {
    const plain = await compacted({})
    const { compaction, refusals } = await compacted({
      after: async ({ summary }) => ({
        by: 'editor',
        summary: `${'Let me tell you something first. '.repeat(8_000)}\n\n${summary}`,
      }),
    })
    expect(refusals).toEqual([
      {
        by: 'editor',
        hook: 'after',
        problems: ['the required additions from the log did not fit'],
      },
    ])
    expect(compaction.drafts).toEqual(plain.compaction.drafts)
  })

  it('gives rules no more room than the policy does', async () => {
    const rules = Array.from({ length: 40 }, (_, at) => `Never touch the folder vendor${at}.`)
    const ruled = logFrom([human(rules.join('\n')), log.slice(1).map(draftOf)])
    const policy = { ...defaultPolicy, prune: () => undefined, standing: () => 200 }
    const input = planInputFor(ruled, { window: { context: 60_000 }, policy, trigger: 'manual' })
    const rulesIn = (summary = ''): number =>
      [...summary.matchAll(/^- .*Never touch the folder vendor/gm)].length
    const plain = await compacted({}, input)
    const { draft } = await compacted(
      { after: async () => ({ by: 'editor', summary: summaryOf('The loop is in src/f3.ts.') }) },
      input,
    )
    expect(rulesIn(draft?.summary)).toBeGreaterThan(0)
    expect(rulesIn(draft?.summary)).toBeLessThanOrEqual(rulesIn(plain.draft?.summary))
    expect(rulesIn(draft?.summary)).toBeLessThan(rules.length)
  })

  it('keeps the other entries of the compaction as they are', async () => {
    const { compaction } = await compacted(
      { after: async () => ({ by: 'editor', summary: summaryOf('The loop is in src/f3.ts.') }) },
      inputOf(),
      { summarizer: scriptedSummarizer('throws') },
    )
    expect(compaction.drafts).toMatchObject([
      { kind: 'observation', observation: { type: 'failure', summarizer: 'scripted' } },
      { kind: 'checkpoint', metadata: { changedBy: 'editor' } },
    ])
  })

  it('is told the template that was asked for, and keeps to it', async () => {
    const template = { sections: [{ heading: 'Mood', guide: 'How it feels.' }] }
    const asked: AfterSummary[] = []
    const { draft } = await compacted(
      {
        after: async (request) => {
          asked.push(request)
          return { by: 'editor', summary: '## Mood\nAll is well with src/f3.ts.' }
        },
      },
      inputOf(),
      { template },
    )
    expect(asked[0]?.template.sections.map(({ heading }) => heading)).toContain('Mood')
    expect(draft?.summary).toMatch(/^## Mood\nAll is well with src\/f3\.ts\./m)
  })

  it('ends with the signal that ends the compaction', async () => {
    const stop = new AbortController()
    const waiting = compactWithHooks(
      inputOf(),
      { ...options, signal: stop.signal },
      { refused: () => {}, after: () => new Promise(() => {}) },
    )
    stop.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
  })
})
