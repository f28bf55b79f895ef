import { expect, test } from 'vitest'
import { evaluate, type Evaluation } from './evaluate.ts'
import { throughline, type Compactor } from './throughline-compactor.ts'
import { answers, calls, handMade, human, says } from './testing/hand-made.ts'

/** The figures that say how much was kept, 0 to 1; figures that couldn't be measured are left out. */
function sharesOf({ atCuts, series }: Evaluation): { name: string; share: number }[] {
  const { forwardNeed, trail } = atCuts
  const last = series.after.at(-1)
  return [
    ...(forwardNeed.cuts > 0 ? [{ name: 'forward need', share: forwardNeed.mean }] : []),
    ...(trail.changed > 0 ? [{ name: 'artifact trail', share: trail.right / trail.changed }] : []),
    ...(last ? [{ name: `rules after ${last.rounds} compactions`, share: last.rules }] : []),
  ]
}

const names = Array.from({ length: 30 }, (_, index) => `neededName${index}`)
const session = handMade([
  human(`Fix these, please: ${names.join(' ')}`),
  calls('Edit', { file_path: 'src/parser.ts', new_string: 'x' }, '1'),
  answers('ok', '1'),
  ...Array.from({ length: 40 }, () => says('And so on. '.repeat(100))),
  calls('Grep', { pattern: names.join('|') }, '2'),
  answers('found', '2'),
  says('Done.'),
])

const forgetful: Compactor = {
  name: 'forgetful',
  compact: async ({ log }) => {
    const summary = names.slice(0, 15).join(' ')
    return { log, summary, messages: [{ role: 'user', content: summary }] }
  },
}

test('a short session is measured too, and all that is needed of it is kept', async () => {
  const evaluation = await evaluate(session, { compactor: throughline, keep: 4_000 })
  expect(evaluation.atCuts.forwardNeed.cuts).toBeGreaterThan(0)
  expect(sharesOf(evaluation)).toEqual([
    { name: 'forward need', share: 1 },
    { name: 'artifact trail', share: 1 },
    { name: 'rules after 20 compactions', share: 1 },
  ])
})

test('who forgets half has half in every figure that it is in', async () => {
  const shares = sharesOf(await evaluate(session, { compactor: forgetful, keep: 4_000 }))
  expect(shares).toEqual([
    { name: 'forward need', share: 0.5 },
    { name: 'artifact trail', share: 0 },
    { name: 'rules after 20 compactions', share: 0 },
  ])
})

test('the same session gives the same figures', async () => {
  const once = await evaluate(session, { compactor: throughline, keep: 1_000 })
  expect(await evaluate(session, { compactor: throughline, keep: 1_000 })).toEqual(once)
})

test('a session after which nothing was needed has no share of it', async () => {
  const nothing = handMade([human('Hello.'), says('Hello.')])
  const evaluation = await evaluate(nothing, { compactor: throughline, keep: 1_000 })
  expect(sharesOf(evaluation).map(({ name }) => name)).toEqual(['rules after 20 compactions'])
})
