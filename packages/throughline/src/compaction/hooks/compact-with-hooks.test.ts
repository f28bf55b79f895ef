import { describe, expect, it } from 'vitest'
import { planInputFor } from '../../session/once/plan-input.ts'
import { human, logFrom, step } from '../../testing/generate/build.ts'
import { defaultPolicy } from '../policy.ts'
import { compactWithHooks } from './compact-with-hooks.ts'
import type { CheckpointDraft } from '../../log/entry.ts'
import type { Compaction, CompactOptions } from '../compaction.ts'
import type { PlanInput, Trigger } from '../plan/plan.ts'
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
): Promise<{ compaction: Compaction; draft: CheckpointDraft | undefined; refusals: Refusal[] }> {
  const refusals: Refusal[] = []
  const refused = (refusal: Refusal): void => void refusals.push(refusal)
  const compaction = await compactWithHooks(input, options, { refused, ...hooks })
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
