import { expect, test } from 'vitest'
import { emptyFacts } from '../facts-of.ts'
import { rankedStatements } from './rank-statements.ts'
import type { Facts, StatementFact } from '../facts.ts'

const said = (seq: number, text: string, more: Partial<StatementFact> = {}): StatementFact => ({
  text,
  seq,
  source: 'remark',
  ...more,
})

/** What is told where there is room for one of the short sentences below. */
function told(facts: Facts): string[] {
  const ranked = rankedStatements({
    facts,
    count: (text) => text.length,
    ofTime: () => 1,
    ofFocus: () => 1,
  })
  const nothing = { includes: () => false }
  return Object.values(ranked(nothing)(50, '')).flat()
}

const lexer = said(2, 'Lexer drops tabs.')
const mixer = said(3, 'Mixer keeps rows.')

test('of two sentences as long, the one is told whose words others speak of', () => {
  const plan = said(1, 'Lexer drops tabs, which the whole of the long plan of the work is about.')
  const facts = { ...emptyFacts(), seq: 9, statements: [plan, lexer, mixer] }
  expect(told(facts)).toEqual(['- [2] Lexer drops tabs.'])
})

test('what only announces the next step is not told, and its words count', () => {
  const announced = said(1, 'Let me look at how the lexer drops tabs.')
  const facts = { ...emptyFacts(), seq: 9, statements: [announced, lexer, mixer] }
  expect(told(facts)).toEqual(['- [2] Lexer drops tabs.'])
})

test('words of what no longer holds do not count, however often it was ranked before', () => {
  const plan = said(1, 'Lexer drops tabs, which the whole of the long plan of the work is about.')
  const facts = { ...emptyFacts(), seq: 9, statements: [plan, lexer, mixer] }
  expect(told(facts)).toEqual(['- [2] Lexer drops tabs.'])
  plan.overtakenBy = 8
  expect(told(facts)).toEqual(['- [3] Mixer keeps rows.'])
  delete plan.overtakenBy
  expect(told(facts)).toEqual(['- [2] Lexer drops tabs.'])
})

test('what was being done is told once it has changed something', () => {
  const doing = said(1, 'Rewriting the lexer…')
  const facts = { ...emptyFacts(), seq: 9, statements: [doing] }
  expect(told(facts)).toEqual([])
  doing.worked = true
  expect(told(facts)).toEqual(['- [1] Rewriting the lexer…'])
})

test('a task that is told again takes the place of the older one, also where it says nothing itself', () => {
  const open = said(1, '- [ ] Port the lexer')
  const done = said(2, '- [x] Port the lexer')
  expect(told({ ...emptyFacts(), seq: 9, statements: [open] })).toEqual([
    '- [1] - [ ] Port the lexer',
  ])
  expect(told({ ...emptyFacts(), seq: 9, statements: [open, done] })).toEqual([
    '- [2] - [x] Port the lexer',
  ])
})

test('of a refrain only what it said last is told', () => {
  const steps = [1, 2, 3, 4].map((seq) => said(seq, `Part ${seq} is through.`))
  const facts = { ...emptyFacts(), seq: 9, statements: steps }
  expect(told(facts)).toEqual(['- [4] Part 4 is through.'])
  expect(told({ ...facts, statements: steps.slice(0, 2) }).join('\n')).toContain('Part 2')
})
