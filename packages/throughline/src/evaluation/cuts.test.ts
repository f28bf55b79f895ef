import { expect, test } from 'vitest'
import { answers, calls, handMade, human } from './testing/hand-made.ts'
import { cutsOf, sizesWithin } from './cuts.ts'

const session = handMade([
  human('a'.repeat(400)),
  calls('Read', { path: 'b'.repeat(398) }),
  answers('c'.repeat(1_600)),
  human('d'.repeat(4)),
])

test('a cut stands at the end of the entry that reaches the size', () => {
  expect(cutsOf(session, [100, 101, 200, 500])).toEqual([
    { size: 100, length: 1 },
    { size: 101, length: 2 },
    { size: 200, length: 2 },
    { size: 500, length: 3 },
  ])
})

test('a size that the session never reaches has no cut', () => {
  expect(cutsOf(session, [601, 602])).toEqual([{ size: 601, length: 4 }])
})

test('the summary of a harness is not text of the session', () => {
  const summary = 'e'.repeat(4_000)
  const fields = { summarizer: 'other', tail: [], continuation: null, metadata: {} }
  const checkpoint = { kind: 'checkpoint' as const, seq: 5, at: 0, base: 4, summary, ...fields }
  const log = [...session.log, checkpoint] as unknown as typeof session.log
  expect(cutsOf({ ...session, log }, [601, 602])).toEqual([{ size: 601, length: 4 }])
})

test('a session that is too short for the usual sizes is cut within what there is', () => {
  expect(cutsOf(session, sizesWithin(session))).toEqual([
    { size: 200, length: 2 },
    { size: 300, length: 3 },
    { size: 400, length: 3 },
  ])
  const long = handMade([human('a'.repeat(250_000)), human('b')])
  expect(cutsOf(long, sizesWithin(long))).toEqual([{ size: 60_000, length: 1 }])
})
