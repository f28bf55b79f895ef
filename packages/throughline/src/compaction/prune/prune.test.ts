import { describe, expect, it } from 'vitest'
import { contextOf } from '../../log/context/context.ts'
import { prunedItems } from '../../log/context/items-of.ts'
import { measureItems } from '../measure/measure.ts'
import { summaryAsUser } from '../render/summary-block.ts'
import { counterOf } from '../../tokens/counter.ts'
import { unitsOf } from '../../log/steps.ts'
import { compactLog } from '../../session/once/compact-log.ts'
import {
  assistant,
  call,
  human,
  logFrom,
  result,
  step,
  tool,
} from '../../testing/generate/build.ts'
import { defaultPolicy } from '../policy.ts'
import { pruneCandidates, pruneToLowWater, type PruneInput } from './prune.ts'
import { staleRefs } from './stale.ts'
import type { Drafts } from '../../testing/generate/build.ts'
import { recentStart } from './protected.ts'
import { plainCounter } from '../../testing/plain-counter.ts'
import { estimatedTokens } from '../../tokens/units.ts'

const text = (tokens: number): string => 'x'.repeat(tokens * 4)
const count = (words: string): number => Math.ceil(words.length / 4)

function inputFor(drafts: readonly Drafts[], extra: Partial<PruneInput> = {}): PruneInput {
  const units = unitsOf(contextOf(logFrom(drafts)).items)
  return {
    units,
    need: estimatedTokens(1),
    recent: estimatedTokens(40_000),
    recentSteps: 2,
    tailTurns: 2,
    protectedTools: ['skill'],
    pinned: new Set(),
    stale: staleRefs(units, []),
    counter: plainCounter(count),
    ...extra,
  }
}

const reads = (number: number, tokens: number): Drafts[] =>
  Array.from({ length: number }, (_, n) =>
    step(`r${n}`, 'Read', { file_path: `src/f${n}.ts` }, text(tokens)),
  )

describe('pruning', () => {
  it('prunes also where one prompt is followed by two hundred calls', () => {
    const input = inputFor([human('go'), reads(200, 1_000)])
    const start = recentStart(input.units, input)
    expect(start).toBeGreaterThan(100)
    expect(pruneCandidates(input)).toHaveLength(start - 1)
  })

  it('frees exactly what it says, also of many small results', () => {
    const small = Array.from({ length: 200 }, (_, n) =>
      step(`r${n}`, 'Read', { file_path: `src/f${n}.ts` }, `The value is ${n}. `.repeat(40)),
    )
    const log = logFrom([human('go'), small])
    const context = contextOf(log)
    const counter = counterOf({ ratio: 1 })
    const input = inputFor([human('go'), small], {
      counter,
      need: estimatedTokens(2_000),
      recent: estimatedTokens(100),
    })
    const { replacements, freed } = pruneToLowWater(input) ?? { replacements: [], freed: 0 }
    const draft = { kind: 'prune', at: 0, base: context.seq, replacements, metadata: {} } as const
    const [before, after] = [context.items, prunedItems(context, draft, log)].map((items) =>
      Number(measureItems(items, counter, summaryAsUser)),
    )
    expect(replacements.length).toBeGreaterThan(3)
    expect((before ?? 0) - (after ?? 0)).toBe(freed)
  })

  it('leaves the newest view of a memory file, until it is edited', () => {
    const view = (id: string): Drafts =>
      step(id, 'memory', { command: 'view', path: '/memories/a.md' }, text(5_000))
    const edit = step('e', 'memory', { command: 'insert', path: '/memories/a.md' }, 'Edited.')
    const removed = (...steps: Drafts[]): string[] =>
      pruneCandidates(
        inputFor([human('go'), ...steps, reads(4, 50_000)], { recent: estimatedTokens(1_000) }),
      ).flatMap(({ replacement, tool }) => (tool === 'memory' ? [replacement.ref] : []))
    expect(removed(view('a'), view('b'))).toEqual(['3.0'])
    expect(removed(view('a'), view('b'), edit)).toEqual(['3.0', '5.0'])
  })

  it('never touches the last two steps, however large', () => {
    const input = inputFor([human('go'), reads(3, 100_000)])
    expect(pruneCandidates(input).map(({ replacement }) => replacement.ref)).toEqual(['3.0'])
  })

  it('never touches what came since the second-last human message, where that is small', () => {
    const input = inputFor([human('1'), reads(3, 200), human('2'), reads(3, 200), human('3')])
    expect(pruneCandidates(input)).toHaveLength(3)
  })

  it('keeps skill results of any case, results of protected tools, and pins', () => {
    const drafts = [
      human('1'),
      step('a', 'Skill', {}, text(500)),
      step('b', 'memory', {}, text(500)),
      step('c', 'Read', {}, text(500)),
      human('2'),
      human('3'),
    ]
    const refs = (extra: Partial<PruneInput>): string[] =>
      pruneCandidates(inputFor(drafts, extra)).map(({ replacement }) => replacement.ref)
    expect(refs({})).toEqual(['5.0', '7.0'])
    expect(refs({ protectedTools: ['skill', 'memory'] })).toEqual(['7.0'])
    expect(refs({ pinned: new Set(['7.0'] as const) })).toEqual(['5.0'])
  })

  it('takes outputs that a later read or edit made stale before all others', () => {
    const input = inputFor([
      human('1'),
      step('a', 'Read', { file_path: 'src/a.ts' }, text(500)),
      step('b', 'Read', { file_path: 'src/b.ts' }, text(500)),
      step('c', 'Edit', { file_path: 'src/b.ts', old_string: 'x', new_string: 'y' }, 'ok'),
      human('2'),
      human('3'),
    ])
    const candidates = pruneCandidates(input)
    expect(candidates.map(({ replacement, stale }) => [replacement.ref, stale])).toEqual([
      ['5.0', true],
      ['3.0', false],
    ])
  })

  it('does not call a whole read stale because a part was read later', () => {
    const units = unitsOf(
      contextOf(
        logFrom([
          human('1'),
          step('a', 'Read', { file_path: 'src/a.ts' }, text(500)),
          step('b', 'Read', { file_path: 'src/a.ts', offset: 10, limit: 5 }, text(50)),
        ]),
      ).items,
    )
    expect([...staleRefs(units, [])]).toEqual([])
  })

  it('clips an output that failed instead of removing it, and keeps its error line', () => {
    const output = `${text(300)}\nTypeError: x is not a function\n${text(300)}`
    const input = inputFor([
      human('1'),
      assistant([call('a', 'Bash')]),
      tool(result('a', 'Bash', { type: 'error-text', value: output })),
      human('2'),
      human('3'),
    ])
    const [candidate] = pruneCandidates(input)
    expect(candidate?.replacement).toMatchObject({ how: 'clipped', ref: '3.0' })
    expect(JSON.stringify(candidate?.replacement)).toContain('TypeError: x is not a function')
  })

  it('clips the huge inputs of old calls, after their outputs', () => {
    const input = inputFor([
      human('1'),
      step('a', 'Write', { file_path: 'src/a.ts', content: text(2_000) }, 'ok'),
      human('2'),
      human('3'),
    ])
    const [candidate] = pruneCandidates(input)
    expect(candidate?.replacement).toMatchObject({ ref: '2.0', input: { file_path: 'src/a.ts' } })
    expect(candidate?.frees).toBeGreaterThan(1_500)
  })

  it('takes stale outputs first, then old outputs, and the inputs of calls last', () => {
    const input = inputFor([
      human('1'),
      step('a', 'Write', { file_path: 'src/a.ts', content: text(2_000) }, 'ok'),
      step('b', 'Read', { file_path: 'src/b.ts' }, text(500)),
      step('c', 'Read', { file_path: 'src/c.ts' }, text(500)),
      step('d', 'Edit', { file_path: 'src/c.ts', old_string: 'x', new_string: 'y' }, 'ok'),
      human('2'),
      human('3'),
    ])
    const order = pruneCandidates(input).map(({ replacement }) => replacement.ref)
    expect(order).toEqual(['7.0', '5.0', '2.0'])
    const enough = pruneToLowWater({ ...input, need: estimatedTokens(600) })
    expect(enough?.replacements.map(({ ref }) => ref)).toEqual(['7.0', '5.0'])
  })

  it('is one batch, and only if that alone reaches the mark', () => {
    const drafts = [human('1'), reads(10, 1_000), human('2'), human('3')]
    expect(
      pruneToLowWater(inputFor(drafts, { need: estimatedTokens(3_000) }))?.replacements,
    ).toHaveLength(4)
    expect(pruneToLowWater(inputFor(drafts, { need: estimatedTokens(20_000) }))).toBeUndefined()
  })

  it('needs no summary where it is enough, and says when it was done', async () => {
    const log = logFrom([human('1'), reads(60, 1_000), human('2'), reads(2, 1_000), human('3')])
    const {
      report,
      messages,
      log: grown,
    } = await compactLog(log, {
      window: { context: 60_000 },
      policy: { ...defaultPolicy, pruneAlone: () => true },
      count,
      now: 1_234,
    })
    expect(report).toMatchObject({ action: 'prune', rung: 'prune' })
    expect(report.after).toBeLessThanOrEqual(22_500)
    expect(JSON.stringify(messages)).toMatch(
      /<tool-output-compacted tool=\\"Read\\" bytes=\\"4000\\" ref=\\"3\.0\\" \/>/,
    )
    expect(grown.at(-1)).toMatchObject({ kind: 'prune', metadata: { time: { compacted: 1_234 } } })
  })
})
