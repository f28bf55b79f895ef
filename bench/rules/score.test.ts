import { expect, it } from 'vitest'
import { scoreOf } from './score.ts'

const labels = {
  case: 'one',
  rules: [
    { at: 1, words: 'Never push' },
    { at: 2, words: 'use tabs' },
  ],
  takenBack: [{ at: 3, words: 'you can push', what: 'Never push' }],
  either: [{ at: 2, words: 'keep it small' }],
}

it('counts what was found, missed, wrongly read and wrongly left in force', () => {
  const read = [
    { text: 'Never push to main.', seq: 1, later: [{ seq: 3 }] },
    { text: 'Please keep it small.', seq: 2 },
    { text: 'Run it once more.', seq: 3 },
  ]
  expect(scoreOf(labels, read, (at) => at)).toEqual({
    name: 'one',
    found: 1,
    missed: ['use tabs'],
    wrong: ['Run it once more.'],
    takenBack: 1,
    keptInForce: ['Never push'],
    beside: 1,
  })
})

it('leaves open what careful readers disagree on, and what nobody has read', () => {
  const read = [{ text: 'Always squash.', seq: 9 }]
  const partly = { ...labels, session: 'a.jsonl', upTo: 8 }
  expect(scoreOf(partly, read, (at) => at).wrong).toEqual([])
})
