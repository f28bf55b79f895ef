import { expect, it } from 'vitest'
import { compact } from './compact.ts'
import { defaultPolicy } from './policy.ts'
import { planInputFor } from '../session/once/plan-input.ts'
import { human, logFrom, step } from '../testing/generate/build.ts'
import type { EntryDraft, Seq } from '../log/entry.ts'

const output = (name: string): string => `${name}();\n`.repeat(400)

it('keeps more of the tail where a local summary leaves room', async () => {
  const log = logFrom([
    human('Find the slow loop.'),
    ...[...'abcdefghijkl'].map((name) =>
      step(name, 'Read', { file_path: `src/${name}.ts` }, output(name)),
    ),
  ])
  const policy = { ...defaultPolicy, keep: () => 6_000 }
  const input = {
    ...planInputFor(log, { window: { context: 200_000 }, policy }),
    trigger: 'manual',
  } as const
  let planned = 0
  const { drafts, report } = await compact(input, {
    now: 0,
    onPlan: (plan) => {
      if (plan.action === 'summarize') planned = plan.cut.tail.length
    },
  } as Parameters<typeof compact>[1])
  const [checkpoint] = drafts
  if (checkpoint?.kind !== 'checkpoint') throw new Error('nothing was compacted')
  const kept = checkpoint.tail.flatMap((item): Seq[] => (item.type === 'entry' ? [item.seq] : []))
  expect(kept.length).toBeGreaterThan(planned)
  expect(report.after).toBeLessThanOrEqual(6_000)
  // The oldest still go.
  expect(kept).not.toContain(2)
})

it('summarizes an earlier summary that takes more than may be kept, though all behind it fits', async () => {
  const earlier: EntryDraft = {
    kind: 'checkpoint',
    at: 0,
    base: 0,
    summary: `## Notes\n${'The parser reads one header after the other, from the end. '.repeat(220)}`,
    summarizer: 'claude-code',
    tail: [],
    continuation: null,
    metadata: {},
  }
  const log = logFrom([
    earlier,
    human('Find the slow loop.'),
    step('a', 'Read', { file_path: 'src/a.ts' }, 'x();\n'.repeat(60)),
    step('b', 'Read', { file_path: 'src/b.ts' }, output('b')),
  ])
  const policy = { ...defaultPolicy, keep: () => 3_000 }
  const planned = planInputFor(log, { window: { context: 200_000 }, policy })
  const { drafts, report } = await compact({ ...planned, trigger: 'manual' }, {
    now: 0,
  } as Parameters<typeof compact>[1])
  expect(drafts.map(({ kind }) => kind)).toEqual(['checkpoint'])
  expect(report.after).toBeLessThanOrEqual(3_000)
})
