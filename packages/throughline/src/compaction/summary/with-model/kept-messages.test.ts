import { expect, test } from 'vitest'
import { contextOf } from '../../../log/context/context.ts'
import { messageText } from '../../../log/message.ts'
import { unitsOf } from '../../../log/steps.ts'
import { assistant, human, logFrom } from '../../../testing/generate/build.ts'
import { plainCounter } from '../../../testing/plain-counter.ts'
import { prunedTranscript } from '../transcript.ts'
import { keptMark, withKeptMessages } from './kept-messages.ts'

const counter = plainCounter((text) => Math.ceil(text.length / 4))
const units = unitsOf(
  contextOf(
    logFrom([
      human('Review it.'),
      assistant('There are five faults.'),
      human('Skip 2 and mend the rest.'),
      assistant('You are right, 2 is none.'),
      human('  '),
      human('Now push.'),
    ]),
  ).items,
)
const [first, faults, skip, right, blank, push] = units
const head = units.filter((unit) => unit !== skip && unit !== push && unit !== blank)

test('what the human said stands in its place, marked where it stays', () => {
  const read = withKeptMessages(head, { units, summarized: head, counter })
  const said = prunedTranscript({ head: read, units, protectedTools: [], counter })
  expect(said.map(messageText)).toEqual([
    'Review it.',
    'There are five faults.',
    `${keptMark}\nSkip 2 and mend the rest.`,
    'You are right, 2 is none.',
    `${keptMark}\nNow push.`,
  ])
})

test('what is neither read nor kept is not there: only the newer half of a head was asked for', () => {
  const read = withKeptMessages(head.slice(2), { units, summarized: head, counter })
  expect(read).not.toContain(first)
  expect(read).not.toContain(faults)
  expect(read).toContain(right)
})
