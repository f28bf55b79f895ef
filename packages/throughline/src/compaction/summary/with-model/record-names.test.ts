import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assistant, human, logFrom, step } from '../../../testing/generate/build.ts'
import { runs } from '../../../testing/generate/runs.ts'
import { estimateTokens as count } from '../../../tokens/estimate.ts'
import { compactLog } from '../../../session/once/compact-log.ts'
import { presets } from '../../presets.ts'
import { factsOf } from '../../../facts/facts-of.ts'
import { withRecordNames, withoutRecordNames } from './record-names.ts'
import { coreHeadings } from '../../../facts/summary/sections/core-sections.ts'
import type { Summarizer } from './summarizer.ts'

const log = logFrom([
  human('Why does the parser fail?'),
  ...Array.from({ length: 40 }, (_, number) =>
    step(
      `c${number}`,
      'Read',
      { file_path: `src/parser/rule-${number}.ts` },
      `export function parseRule${number}() { return tokenStream${number} }`,
    ),
  ),
  assistant('It lacks a bracket.'),
])
const facts = factsOf(log)

/** The same work, with outputs that are worth a summary. */
const long = logFrom([
  human('Why does the parser fail?'),
  ...Array.from({ length: 40 }, (_, number) =>
    step(
      `c${number}`,
      'Read',
      { file_path: `src/parser/rule-${number}.ts` },
      `export function parseRule${number} () { return 1 }\n${'  // nothing here\n'.repeat(400)}`,
    ),
  ),
  human('Go on.'),
  assistant('It lacks a bracket.'),
])

const summary = coreHeadings
  .map(
    (heading) =>
      `## ${heading}\n${heading === 'Relevant files' ? '(none)' : 'All is well. '.repeat(120).trim()}`,
  )
  .join('\n\n')

const filled = (budget: number, beside: readonly string[] = []): string =>
  withRecordNames(summary, { facts, budget, count, beside })

describe('names from the record', () => {
  test('take what a summary leaves, and no more', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3_000 }), (budget) => {
        const text = filled(budget)
        expect(count(text)).toBeLessThanOrEqual(Math.max(budget, count(summary)))
        expect(withoutRecordNames(text)).not.toContain('rule-')
        expect(text).toContain(summary.slice(0, summary.indexOf('(none)')))
      }),
      runs(50),
    )
    expect(filled(3_000)).toContain('parseRule39')
    expect(filled(3_000)).not.toContain('(none)')
    expect(filled(count(summary) + 200)).not.toContain('parseRule0()')
  })

  test('are those that do not stand there already', () => {
    const named = filled(3_000, ['see src/parser/rule-7.ts and parseRule8'])
    expect(named).not.toMatch(/rule-7\.ts|parseRule8\b/)
    expect(named).toContain('parseRule9')
  })

  test('stand in the summary of a model, and in none where a policy wants none', async () => {
    const summarizer: Summarizer = {
      name: 'scripted',
      summarize: async () => ({ text: summary, finish: 'stop' }),
    }
    const told: string[] = []
    for (const policy of [presets.default, { ...presets.default, names: () => 0 }, presets.seed]) {
      const options = { window: { context: 60_000 }, trigger: 'manual', policy } as const
      const { context } = await compactLog(long, { ...options, summarizer })
      told.push(context.checkpoint?.summary.includes('Names from the record') ? 'names' : 'none')
    }
    expect(told).toEqual(['names', 'none', 'none'])
  })

  test('are put there anew, and not kept from before', () => {
    expect(withRecordNames(filled(800), { facts, budget: 3_000, count, beside: [] })).toBe(
      filled(3_000),
    )
  })

  test('are not given where a summary has no place for them', () => {
    const other = '## Goal\nGo on.'
    expect(withRecordNames(other, { facts, budget: 3_000, count, beside: [] })).toBe(other)
  })

  test('fit where a text counts for more than its lines', () => {
    const bare = summary
    const superadditive = (text: string): number => Math.ceil((text.length / 4) ** 1.15)
    const named = (budget: number): string =>
      withRecordNames(bare, { facts, budget, count: superadditive, beside: [] })
    for (let more = 60; more < 2_000; more += 97) {
      const budget = superadditive(bare) + more
      expect(superadditive(named(budget))).toBeLessThanOrEqual(budget)
    }
    expect(named(superadditive(bare) + 1_000)).toContain('Names from the record:\n')
  })

  test('stand below what the summary says of files, under their label', () => {
    const said = summary.replace('(none)', '- `src/parser/rule-3.ts`: where the bracket lacks.')
    const named = withRecordNames(said, { facts, budget: 3_000, count, beside: [] })
    expect(named).toMatch(/bracket lacks\.\nNames from the record:\n\S/)
    expect(filled(3_000)).toMatch(/## Relevant files\nNames from the record:\n\S/)
    expect(withoutRecordNames(named)).toBe(said)
  })

  test('are none where fewer than a few would fit', () => {
    expect(filled(count(summary) + 40)).toBe(summary)
    expect(filled(count(summary) + 200)).not.toBe(summary)
  })

  test('leave a summary that has none as it is, to the byte', () => {
    const odd = '# 1. Goal\nGo on.\n\n\n\n**Relevant files**\n- a.ts   '
    expect(withoutRecordNames(odd)).toBe(odd)
    const elsewhere = summary.replace('(none)', '(none)\nNot Names from the record: these.')
    expect(withoutRecordNames(elsewhere)).toBe(elsewhere)
    const underGoal = summary.replace('## Goal\n', '## Goal\nNames from the record:\n')
    expect(withoutRecordNames(underGoal)).toBe(underGoal)
  })
})
