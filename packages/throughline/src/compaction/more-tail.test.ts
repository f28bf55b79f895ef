import { expect, it } from 'vitest'
import { compact } from './compact.ts'
import { defaultPolicy } from './policy.ts'
import { planInputFor } from '../session/once/compact-log.ts'
import { human, logFrom, step } from '../testing/generate/build.ts'
import type { Seq } from '../log/entry.ts'

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
