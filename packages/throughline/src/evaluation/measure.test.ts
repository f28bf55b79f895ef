import { expect, test } from 'vitest'
import { answers, calls, handMade, human } from './testing/hand-made.ts'
import { bareList, everything, halfList, lastTokens } from './baselines.ts'
import { measureAtCuts, type Question, pairsOf } from './measure.ts'
import { neededAfter } from './forward-need.ts'
import type { Compactor } from './throughline-compactor.ts'

const names = Array.from({ length: 20 }, (_, index) => `neededName${index}`)
const filler = Array.from({ length: 200 }, (_, index) => `other_word_${index}`).join(' ')
const before = [
  human(`Fix the parser. Here is a log: ${filler}`),
  calls('Edit', { file_path: 'src/parser.ts', new_string: names.join(' ') }, '1'),
  answers('ok', '1'),
  human('Thank you. '.repeat(100)),
]
const session = handMade([...before, calls('Grep', { pattern: names.join('|') }, '2')])
const cut = { size: 0, length: before.length }
const questions: Question[] = [{ session, cut, needed: neededAfter(session, cut) }]

const summary = `Changed: edited src/parser.ts. ${names.join(' ')}`
const writing = (text: string): Compactor => ({
  name: 'written',
  compact: async ({ log }) => ({ log, summary: text, messages: [{ role: 'user', content: text }] }),
})

test('a compactor that keeps all that is needed reaches the whole figure', async () => {
  const result = await measureAtCuts(writing(summary), questions, 3_000)
  expect(result).toMatchObject({
    forwardNeed: { mean: 1, cuts: 1, repositories: 1 },
    trail: { changed: 1, right: 1 },
    invented: [],
    orphans: 0,
    over: 0,
  })
})

test('every fact that is dropped lowers the figure that measures it', async () => {
  const half = writing(`I made src/unheard-of.ts. ${names.slice(0, 10).join(' ')}`)
  const result = await measureAtCuts(half, questions, 10)
  expect(result.forwardNeed.mean).toBe(0.5)
  expect(result.trail).toMatchObject({ changed: 1, right: 0 })
  expect(result.invented).toEqual(['here__1@0: src/unheard-of.ts'])
  expect(result.over).toBe(1)
})

test('the baselines stand in the order that is known of them', async () => {
  const figures = []
  for (const compactor of [lastTokens, halfList, bareList, everything]) {
    const { forwardNeed, kept } = await measureAtCuts(compactor, questions, 100)
    figures.push(forwardNeed.mean)
    if (compactor !== everything) expect(kept.most).toBeLessThanOrEqual(100)
  }
  expect(figures).toEqual([0, expect.any(Number), 1, 1])
  expect(figures[1]).toBeGreaterThan(0)
  expect(figures[1]).toBeLessThan(1)
})

test('whole pairs, and a pending call at the end, are no orphans', () => {
  const messages = [human('go'), calls('Read', {}, '1'), answers('ok', '1'), calls('Read', {}, '2')]
  expect(pairsOf(messages)).toEqual({ orphanCalls: 0, orphanResults: 0 })
})

test('a call that was cut from its result, and a result from its call, are orphans', () => {
  const messages = [answers('ok', '0'), calls('Read', {}, '1'), human('go'), answers('ok', '1')]
  expect(pairsOf(messages)).toEqual({ orphanCalls: 1, orphanResults: 2 })
})
