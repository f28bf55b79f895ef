import { describe, test } from 'vitest'
import { contextOf } from './context/context.ts'
import { historyOf } from './history.ts'
import { chronological, type Chronological } from './order.ts'
import { expectLinear } from '../testing/growth.ts'
import type { Entry, EntryDraft } from './entry.ts'

/** A session in which the human goes back again and again: behind each answer, or to redo one. */
function goingBack(times: number, resumes: boolean): Chronological {
  const drafts = Array.from({ length: times }, (_, at): EntryDraft[] => [
    {
      kind: 'message',
      at,
      origin: 'human',
      message: { role: 'user', content: `Look at file ${at}.` },
    },
    {
      kind: 'message',
      at,
      origin: 'model',
      finish: 'stop',
      message: { role: 'assistant', content: 'It is fine.' },
    },
    {
      kind: 'rewind',
      at,
      to: Math.max(at * 3 - 1, 0),
      ...(resumes && { resume: at * 3 + 2 }),
    },
  ]).flat()
  return chronological(drafts.map((draft, index): Entry => ({ ...draft, seq: index + 1 })))
}

describe('the cost of a view grows with the log, however often it was rewound:', () => {
  const views = { context: contextOf, history: historyOf }
  test.each(
    Object.entries(views).flatMap(([name, view]) => [
      { name, view, resumes: false },
      { name, view, resumes: true },
    ]),
  )('$name, resumed $resumes', async ({ view, resumes }) => {
    await expectLinear(
      (times) => {
        const log = goingBack(times, resumes)
        return () => view(log)
      },
      { small: 500, large: 8_000 },
    )
  })
})
