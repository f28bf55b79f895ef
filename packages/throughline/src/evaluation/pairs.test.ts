import { expect, test } from 'vitest'
import { answers, calls, human } from './testing/hand-made.ts'
import { pairsOf } from './pairs.ts'

test('whole pairs, and a pending call at the end, are no orphans', () => {
  const messages = [human('go'), calls('Read', {}, '1'), answers('ok', '1'), calls('Read', {}, '2')]
  expect(pairsOf(messages)).toEqual({ orphanCalls: 0, orphanResults: 0 })
})

test('a call that was cut from its result, and a result from its call, are orphans', () => {
  const messages = [answers('ok', '0'), calls('Read', {}, '1'), human('go'), answers('ok', '1')]
  expect(pairsOf(messages)).toEqual({ orphanCalls: 1, orphanResults: 2 })
})
