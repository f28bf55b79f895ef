import { expect, test } from 'vitest'
import { answers, calls, handMade, human, says } from './testing/hand-made.ts'
import { visibleText } from './visible.ts'
import { plantRules, plantedRules, rulesHeld, rulesSaid } from './series.ts'
import type { Compacted } from './throughline-compactor.ts'

const turn = [
  human('Go on with the next part.'),
  calls('Read', { path: 'a.ts' }),
  answers('x'),
  says('Done.'),
]
const session = handMade(Array.from({ length: 10 }, () => turn).flat())

const keeping = (content: string): Compacted => ({
  log: session.log,
  summary: content,
  messages: [{ role: 'user', content }],
})

test('every rule is planted once, in words of the human in the first quarter', () => {
  const { session: planted, rules } = plantRules(session)
  expect(rules).toBe(plantedRules)
  for (const rule of rules) {
    const holding = planted.log.filter((entry) => visibleText(entry).includes(rule))
    expect(holding).toHaveLength(1)
    expect(holding[0]).toMatchObject({ kind: 'message', origin: 'human' })
    expect(planted.log.indexOf(holding[0] as never)).toBeLessThan(planted.log.length / 2)
  }
})

test('the seqs of the longer session have no gap, and the original is untouched', () => {
  const { session: planted } = plantRules(session)
  expect(planted.log.map(({ seq }) => seq)).toEqual(planted.log.map((_, index) => index + 1))
  expect(session.log.some((entry) => visibleText(entry).includes('pnpm'))).toBe(false)
})

test('a rule that is reworded or dropped is not held', () => {
  const rules = ['Never push to main.', 'Trả lời bằng tiếng Việt.']
  expect(rulesHeld(rules, keeping(rules.join('\n- ')))).toBe(1)
  expect(rulesHeld(rules, keeping('Do not push to main. Trả lời bằng tiếng Việt.'))).toBe(0.5)
  expect(rulesHeld(rules, keeping(''))).toBe(0)
})

test('a rule that has not been said yet is not missed', () => {
  expect(rulesSaid(['never push'], keeping('').log)).toEqual([])
})
