import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compact } from '../compact.ts'
import { beginPlan, planFrom } from '../plan/plan.ts'
import { planPreparation, prepare } from '../prepare/prepare.ts'
import { closedCircuitBreaker } from '../summary/with-model/circuit-breaker.ts'
import { defaultPolicy } from '../policy.ts'
import { minus, modelTokens, plus } from '../../tokens/units.ts'
import { planInputFor } from '../../session/once/plan-input.ts'
import { sizeAfter, unitTokens } from '../measure/unit-tokens.ts'
import { checkpointItems, prunedItems } from '../../log/context/items-of.ts'
import {
  assistant,
  call,
  human,
  logFrom,
  result,
  step,
  tool,
  type Drafts,
} from '../../testing/generate/build.ts'
import { giveBack } from './give-back.ts'
import { planCut } from './planned-cut.ts'
import type { CheckpointDraft, Replacement, TailItem } from '../../log/entry.ts'
import type { Chronological } from '../../log/order.ts'
import type { CompactOptions } from '../compaction.ts'
import type { PlanInput, Trigger } from '../plan/plan.ts'

const options: CompactOptions = { now: 0, circuitBreaker: closedCircuitBreaker() }
const line = 'const value = read(source, offset) // a line of a file\n'
const written = (lines: number): string =>
  Array.from({ length: lines }, (_, n) => `${n}: ${line}`).join('')

function inputOf(log: Chronological, trigger: Trigger = 'manual', context = 105_000): PlanInput {
  return planInputFor(log, { window: { context }, trigger })
}

/** Forty steps, and then a file of about 7,000 tokens. */
function sessionOf(...newest: readonly Drafts[]): Chronological {
  const earlier = Array.from({ length: 40 }, (_, n) =>
    step(`c${n}`, 'Read', { file_path: `src/${n}.ts` }, written(60)),
  )
  return logFrom([human('Move the commands.'), earlier, newest])
}

const read = step('new', 'Read', { file_path: 'src/extension.ts' }, written(380))
const write = [
  assistant([call('new', 'Write', { file_path: 'src/extension.ts', content: written(380) })]),
  tool(result('new', 'Write', 'Wrote it.')),
]

function clippedIn(tail: readonly TailItem[]): Replacement[] {
  return tail.flatMap((item) =>
    item.type === 'entry' ? (item.replacements ?? []).filter(({ how }) => how === 'clipped') : [],
  )
}

/** What summary and tail hold after it. */
function heldBy(input: PlanInput, draft: CheckpointDraft): number {
  const { measurement } = beginPlan(input)
  const items = checkpointItems(input.context, { ...draft, seq: draft.base + 1 }, input.log)
  return sizeAfter(input, measurement, items) - measurement.system - measurement.tools
}

async function checkpointOf(
  input: PlanInput,
  more: Partial<CompactOptions> = {},
): Promise<CheckpointDraft> {
  const { drafts } = await compact(input, { ...options, ...more })
  const checkpoint = drafts.find(({ kind }) => kind === 'checkpoint')
  if (checkpoint?.kind !== 'checkpoint') throw new Error('nothing was compacted')
  return checkpoint
}

const sections = 'Goal Instructions Discoveries Accomplished'.split(' ')
const summary = [...sections, 'Relevant files / directories']
  .map((name) => `## ${name}\n${'- The commands of the extension are being moved.\n'.repeat(20)}`)
  .join('\n')
const summarizer = {
  name: 'short',
  summarize: async () => ({ text: summary, finish: 'stop' as const }),
}

describe('room that a summary leaves', () => {
  it.each([
    ['that was just read', read],
    ['that was just written', write],
  ])('shows the whole of a large file %s, behind a summary by a model', async (_, newest) => {
    const input = inputOf(sessionOf(newest))
    const plan = planFrom(beginPlan(input) as Parameters<typeof planFrom>[0], input)
    expect(plan.action === 'summarize' && clippedIn(plan.cut.tail)).toHaveLength(1)
    const checkpoint = await checkpointOf(input, { summarizer })
    expect(checkpoint.summarizer).toBe('short')
    expect(clippedIn(checkpoint.tail)).toEqual([])
    expect(heldBy(input, checkpoint)).toBeLessThanOrEqual(20_000)
  })

  it('shows the whole of it behind a summary by code', async () => {
    const input = inputOf(sessionOf(write))
    const checkpoint = await checkpointOf(input)
    expect(clippedIn(checkpoint.tail)).toEqual([])
    expect(heldBy(input, checkpoint)).toBeLessThanOrEqual(20_000)
  })

  it('shows more of a file that is too large for all of it', async () => {
    const huge = step('new', 'Read', { file_path: 'src/extension.ts' }, written(3_000))
    const input = inputOf(sessionOf(huge))
    const checkpoint = await checkpointOf(input, { summarizer })
    expect(clippedIn(checkpoint.tail)).toHaveLength(1)
    const held = heldBy(input, checkpoint)
    expect(held).toBeGreaterThan(18_500)
    expect(held).toBeLessThanOrEqual(20_000)
  })

  it('is taken by the newest first', async () => {
    const older = [
      assistant([call('old', 'Read', { file_path: 'src/old.ts' })]),
      tool(result('old', 'Read', written(3_000))),
      human('And now the other one.'),
    ]
    const input = inputOf(sessionOf(older, read))
    const { tail } = await checkpointOf(input, { summarizer })
    expect(clippedIn(tail.slice(-2))).toEqual([])
  })

  it('is given back by a summary that was prepared before', async () => {
    const log = sessionOf(read)
    const policy = { ...defaultPolicy, prepareAt: () => 0, prune: () => undefined }
    const input = planInputFor(log, { window: { context: 75_000 }, policy, trigger: 'manual' })
    const plan = planPreparation(input)
    if (!plan) throw new Error('nothing was prepared')
    expect(clippedIn(plan.cut.tail)).toHaveLength(1)
    const { prepared } = await prepare(input, plan, { ...options, summarizer })
    const compaction = await compact(input, { ...options, ...(prepared && { prepared }) })
    expect(compaction.prepared).toBe('used')
    const [checkpoint] = compaction.drafts
    expect(checkpoint?.kind === 'checkpoint' && clippedIn(checkpoint.tail)).toEqual([])
  })

  it('is given back where clipping is all that is done', async () => {
    const log = logFrom([
      human('Read it.'),
      step('new', 'Read', { file_path: 'src/a.ts' }, written(6_000)),
    ])
    const input = inputOf(log, 'auto')
    const plan = planFrom(beginPlan(input) as Parameters<typeof planFrom>[0], input)
    if (plan.action !== 'prune') throw new Error('nothing was clipped')
    expect(plan.how).toBe('clip')
    const draft = {
      kind: 'prune',
      at: 0,
      base: input.context.seq,
      replacements: plan.pruning.replacements,
      metadata: {},
    } as const
    const pruned = prunedItems(input.context, draft, log)
    const held = sizeAfter(input, plan.measurement, pruned)
    expect(held).toBeGreaterThan(18_500)
    expect(held).toBeLessThanOrEqual(20_000)
  })

  it('stays empty where a policy says how long the tail is', async () => {
    const policy = { ...defaultPolicy, tail: () => 6_000 }
    const input = planInputFor(sessionOf(read), {
      window: { context: 105_000 },
      policy,
      trigger: 'manual',
    })
    expect(clippedIn((await checkpointOf(input, { summarizer })).tail)).toHaveLength(1)
  })

  it('is never exceeded, takes no entry away and shows nothing shorter, in any session', () => {
    let given = 0
    fc.assert(
      fc.property(
        fc.array(said, { minLength: 2, maxLength: 12 }),
        fc.integer({ min: 0, max: 12_000 }),
        fc.integer({ min: 8_000, max: 100_000 }),
        (drafts, more, window) => {
          const log = logFrom([human('Go on.'), drafts])
          const input = inputOf(log, 'manual', window)
          const { counter, policy } = input
          let begun
          try {
            begun = beginPlan(input)
          } catch {
            return
          }
          if (!('units' in begun)) return
          const { units, budget } = begun
          const cut = planCut(input, units, budget, budget.tail)
          const room = modelTokens(more)
          const fuller = giveBack(cut, { units, room, counter, policy })
          if (fuller === cut) return
          given += 1
          expect(minus(fuller.tailTokens, cut.tailTokens)).toBeLessThanOrEqual(room)
          expect(plus(fuller.tailTokens, fuller.summaryBudget)).toBe(
            plus(cut.tailTokens, cut.summaryBudget),
          )
          expect(fuller.tail.map(seqOf)).toEqual(cut.tail.map(seqOf))
          const before = new Map(cut.tail.map((item) => [seqOf(item), replacedIn(item)]))
          const after = new Map(fuller.tail.map((item) => [seqOf(item), replacedIn(item)]))
          for (const unit of units) {
            const seqs = unit.type === 'human' ? [unit.seq] : unit.items.map(({ seq }) => seq)
            const size = (of: typeof before): number => {
              const own = seqs.flatMap((seq) => of.get(`${seq}`) ?? [])
              return unitTokens(unit, own, counter)
            }
            expect(size(after)).toBeGreaterThanOrEqual(size(before))
          }
        },
      ),
      { numRuns: 80 },
    )
    expect(given).toBeGreaterThan(0)
  })
})

/** A request, a file that was read or written, or both in one step; a few of them large. */
const said: fc.Arbitrary<Drafts> = fc
  .tuple(fc.constantFrom('human', 'read', 'write', 'both'), fc.integer({ min: 1, max: 700 }))
  .map(([what, lines]): Drafts => {
    const text = written(lines)
    if (what === 'human') return human(text)
    const writes = call(`w${lines}`, 'Write', { file_path: 'a.ts', content: text })
    const reads = call(`r${lines}`, 'Read', { file_path: 'b.ts' })
    const calls = what === 'read' ? [reads] : what === 'write' ? [writes] : [reads, writes]
    return [
      assistant(calls),
      ...(what === 'write' ? [] : [tool(result(`r${lines}`, 'Read', text))]),
      ...(what === 'read' ? [] : [tool(result(`w${lines}`, 'Write', 'Wrote it.'))]),
    ]
  })

function seqOf(item: TailItem): string {
  return item.type === 'entry' ? `${item.seq}` : `${item.from}–${item.to}`
}

function replacedIn(item: TailItem): readonly Replacement[] {
  return item.type === 'entry' ? (item.replacements ?? []) : []
}
