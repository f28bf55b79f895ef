import { expect, it } from 'vitest'
import { contextOf } from '../../log/context/context.ts'
import { chronological } from '../../log/order.ts'
import { planInputFor } from '../../session/once/plan-input.ts'
import { defaultPolicy } from '../policy.ts'
import { human, logFrom, step } from '../../testing/generate/build.ts'
import { beginPlan, planCompaction, planSteps } from './plan-compaction.ts'
import { estimatedTokens } from '../../tokens/units.ts'
import type { Entry, EntryDraft, Ref } from '../../log/entry.ts'

const work = [
  human('Find the slow loop.'),
  ...Array.from({ length: 40 }, (_, at) =>
    step(`c${at}`, 'Read', { file_path: `src/f${at}.ts` }, `loop${at}();\n`.repeat(150)),
  ).flat(),
]

function prunedRefs(...more: EntryDraft[]): { refs: Ref[]; shown: string } {
  const log = logFrom([...work, ...more])
  const policy = { ...defaultPolicy, pruneAlone: () => true }
  const asked = { window: { context: 20_000 }, trigger: 'auto', policy } as const
  const plan = planCompaction(planInputFor(log, asked))
  if (plan.action !== 'prune') throw new Error(plan.action)
  const { replacements } = plan.pruning
  const base = log.length
  const prune: Entry = { seq: base + 1, kind: 'prune', at: 0, base, replacements, metadata: {} }
  const { items } = contextOf(chronological([...log, prune]))
  return { refs: replacements.map(({ ref }) => ref), shown: JSON.stringify(items) }
}

it('a pruning leaves what is pinned, by whichever ref it was', () => {
  expect(prunedRefs().refs).toContain('3.0')
  for (const ref of ['3.0', '3'] as const) {
    const { refs, shown } = prunedRefs({ kind: 'pin', at: 0, text: 'loop0();', ref })
    expect(refs).not.toContain('3.0')
    expect(refs).toContain('5.0')
    expect(shown).toContain('loop0();')
  }
})

it('other work comes between any two tails that are tried', () => {
  const log = logFrom(
    Array.from({ length: 12 }, (_, at) => human(`Task ${at}. ${'x y '.repeat(99)}`)),
  )
  const said: string[] = []
  // A cut whose tail leaves the summary no room, so that shorter ones are tried.
  const cut: typeof defaultPolicy.cut = (asked) => {
    said.push('cut')
    return { ...defaultPolicy.cut(asked), tailTokens: estimatedTokens(1_000_000) }
  }
  const policy = { ...defaultPolicy, cut }
  const input = planInputFor(log, { window: { context: 20_000 }, trigger: 'manual', policy })
  const begun = beginPlan(input)
  if ('action' in begun) throw new Error(begun.action)
  const steps = planSteps(begun, input)
  while (steps.next().done !== true) said.push('others')
  expect(said.filter((each) => each === 'cut').length).toBeGreaterThan(3)
  expect(said.join(' ')).not.toContain('cut cut')
})
