import { markText, type ExamFact } from 'throughline/evaluation'
import { expect, test } from 'vitest'
import { goalsOf } from './goals.ts'
import { about, askedWith, figuresOf, resultWith } from './hand-made-figures.ts'
import type { Life } from './life.ts'

const peer = (share: number) => askedWith('other', share, { about })
const life = (dollars: number, held: number): Life => ({
  session: 'here',
  policy: 'any',
  requests: [1_000],
  summaryTokens: 0,
  compactions: 1,
  dollars,
  summaryDollars: 0,
  needed: 10,
  held,
})
const fact: ExamFact = {
  id: '1',
  kind: 'constraint',
  fact: 'Never push.',
  where: '',
  keys: [['never push']],
  within: 400,
}
const missed = (figures: ReturnType<typeof figuresOf>): string[] =>
  goalsOf(figures)
    .filter(({ met }) => !met)
    .map(({ what }) => what)

test('all goals are met where all is kept', () => {
  const figures = figuresOf([askedWith('throughline', 1), peer(0.5)])
  expect(goalsOf(figures).length).toBeGreaterThan(3)
  expect(missed(figures)).toEqual([])
})

test('a forward need under its goal is missed, and so is one that a peer reaches', () => {
  const figures = figuresOf([askedWith('throughline', 0.85), peer(0.86)])
  expect(missed(figures)).toEqual([
    'forward need at 8k kept, all sessions',
    'forward need above every peer at every size',
  ])
})

test('facts that are not stated are missed, for each who has a goal', () => {
  const row = markText({ case: 'E', session: 's', records: 1, facts: [fact] }, 'Nothing of it.')
  const facts = [[{ ...row, keep: 8_000 }]]
  const figures = figuresOf([
    askedWith('throughline', 1, { facts }),
    askedWith('throughline-answers', 1, { facts, atCuts: [] }),
    peer(0.5),
  ])
  expect(missed(figures)).toEqual([
    'facts at 8k kept: throughline',
    'facts of constraint at 8k kept: throughline',
    'facts at 8k kept: throughline-answers',
  ])
})

test('a file that is not named and a path that is made up are missed', () => {
  const result = resultWith('throughline', 1, {
    trail: { changed: 2, right: 1, missed: ['a.ts'] },
    invented: ['here: b.ts'],
  })
  const figures = figuresOf([askedWith('throughline', 1, { atCuts: [result] })])
  expect(missed(figures)).toEqual(['artifact trail, all sizes', 'invented paths, all sizes'])
})

test('who kept little is to be bettered by half, who kept much at all', () => {
  const harness = (theirs: number, ours: number) => ({
    harness: 'codex',
    compactions: 1,
    needed: 20,
    few: false,
    theirs: { tokens: 1_000, share: theirs },
    ours: { tokens: 1_000, share: ours },
  })
  const of = (theirs: number, ours: number): string[] =>
    missed(figuresOf([askedWith('throughline', 1)], { harnesses: [harness(theirs, ours)] }))
  expect(of(0.4, 0.59)).toHaveLength(1)
  expect(of(0.4, 0.61)).toEqual([])
  expect(of(0.7, 0.7)).toHaveLength(1)
  expect(of(0.7, 0.71)).toEqual([])
})

test('rules that are lost and facts that fade are missed', () => {
  const series = (rules: number, drift: number) => ({
    compactor: 'throughline',
    keep: 8_000,
    after: [{ rounds: 20, rules, drift }],
  })
  const of = (rules: number, drift: number): string[] =>
    missed(figuresOf([askedWith('throughline', 1, { series: series(rules, drift) })]))
  expect(of(1, 0.98)).toEqual([])
  expect(of(0.9, 0.9)).toHaveLength(2)
})

test("money counts against the seeds' policy only at equal or better forward need", () => {
  const of = (dollars: number, held: number): string[] =>
    missed(
      figuresOf([
        askedWith('throughline', 1, { lives: [life(dollars, held)] }),
        askedWith('seeds', 0.5, { lives: [life(10, 5)] }),
      ]),
    )
  expect(of(6, 5)).toEqual([])
  expect(of(6.1, 5)).toHaveLength(1)
  expect(of(6, 4)).toHaveLength(1)
})
