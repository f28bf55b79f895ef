import { expect, it } from 'vitest'
import { factsOf } from '../facts-of.ts'
import { assistant, human, logFrom, step } from '../../testing/generate/build.ts'
import { Beside } from './beside.ts'
import { openTodos, whereItStands } from './now.ts'
import { Room } from './room.ts'
import type { Drafts } from '../../testing/generate/build.ts'

const room = (): Room => new Room(4_000, (text) => Math.ceil(text.length / 4))

const list = step(
  'a',
  'TodoWrite',
  {
    todos: [
      { content: 'Ship the exporter of sums', status: 'pending' },
      { content: 'Draw the page of settings', status: 'in_progress' },
    ],
  },
  'ok',
)

it('of a list that the human has long spoken past, only what was called open since is told', () => {
  const turns = (count: number, said = 'So.') =>
    Array.from({ length: count }, (_, at) => [human(`Look at ${at}.`), assistant(said)])
  const told = (...drafts: Drafts[]): string[] =>
    openTodos(factsOf(logFrom([human('Ship it.'), list, ...drafts])), room(), 400)
  const settings = '- in progress: Draw the page of settings [3]'
  expect(told(turns(2))).toEqual([
    "Still open, as the assistant's list last said [3]:",
    '- pending: Ship the exporter of sums [3]',
    settings,
  ])
  expect(told(turns(5))).toEqual([])
  const open = 'The sums are right. Drawing its page of settings remains pending.'
  expect(told(turns(4), turns(1, open))).toEqual([
    "Still open, as the assistant's list last said [3], before the last 5 messages of the human:",
    settings,
  ])
  expect(told(turns(4), turns(1, 'The page of settings is drawn.'))).toEqual([])
})

it('a list is as new as the last change of any of its items', () => {
  const log = [
    human('Ship it.'),
    step('a', 'TaskCreate', { subject: 'Ship the exporter' }, 'Task #1 created'),
    step('b', 'TaskCreate', { subject: 'Draw its page' }, 'Task #2 created'),
    ...['Look at one.', 'Look at two.', 'Look at three.'].map((words) => human(words)),
    step('c', 'TaskUpdate', { taskId: '1', status: 'completed' }, 'Updated task #1'),
  ]
  const told = (...later: Drafts[]): string[] =>
    openTodos(factsOf(logFrom([...log, ...later])), room(), 400)
  const page = '- pending: Draw its page [5]'
  expect(told()).toEqual(["Still open, as the assistant's list last said [10]:", page])
  // It outlives what the human speaks of in between.
  const turns = ['And one?', 'And two?', 'And three?'].map((words) => human(words))
  expect(told(turns)).toEqual([
    "Still open, as the assistant's list last said [10], before the last 3 messages of the human:",
    page,
  ])
})

it('more commits are told where there is more room', () => {
  const commits = Array.from({ length: 20 }, (_, at) =>
    step(`${at}`, 'Bash', { command: `git commit -m ${at}` }, `[main abcdef${10 + at}] Step ${at}`),
  )
  const facts = factsOf(logFrom([human('Go on.'), commits]))
  const told = (tokens: number): number =>
    whereItStands(facts, { room: room(), tokens, beside: new Beside([]) })
      .join('\n')
      .match(/abcdef\d\d/g)?.length ?? 0
  expect([told(150), told(400), told(1_200)]).toEqual([4, 8, 12])
})
