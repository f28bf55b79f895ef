import { expect, it } from 'vitest'
import { factsOf } from '../../../facts/facts-of.ts'
import { assistant, human, logFrom, step } from '../../../testing/generate/build.ts'
import { Beside } from './beside.ts'
import { openTodos, whereItStands } from './now.ts'
import { Room } from './room.ts'

const room = (): Room => new Room(4_000, (text) => Math.ceil(text.length / 4))

it('a list that the human has spoken past says how long ago it was touched', () => {
  const list = step('a', 'TodoWrite', { todos: [{ content: 'Ship', status: 'pending' }] }, 'ok')
  const turns = (count: number) =>
    Array.from({ length: count }, (_, at) => [human(`Look at ${at}.`), assistant('So.')])
  const label = (count: number): string | undefined =>
    openTodos(factsOf(logFrom([human('Ship it.'), list, turns(count)])), room(), 400)[0]
  expect(label(2)).toBe("Still open, as the assistant's list last said [3]:")
  expect(label(5)).toBe(
    "Still open, as the assistant's list last said [3], before the last 5 messages of the human:",
  )
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
