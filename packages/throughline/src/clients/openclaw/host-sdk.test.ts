import { expect, test } from 'vitest'
import { historyBy } from './plugin.ts'
import type { Fields } from '../../json/fields.ts'

const said = (text: string): Fields => ({ message: { role: 'user', content: text } })

test('reads a history page after page, with more room for a large message, and anew after a reset', async () => {
  const pages: Fields[] = [
    { kind: 'page', cursor: 'a', entries: [said('gone')], hasMore: true },
    { kind: 'reset', cursor: 'b' },
    { kind: 'page', cursor: 'c', entries: [said('one')], hasMore: true },
    { kind: 'page', cursor: 'c', entries: [], hasMore: true, requiredBytes: 9_000_000 },
    { kind: 'page', cursor: 'd', entries: [said('two')], hasMore: false },
  ]
  const asked: Fields[] = []
  const read = async (request: object) => pages[asked.push({ ...request }) - 1]
  const history = await historyBy(read, { sessionId: 's' })
  expect(history.map(({ content }) => content)).toEqual(['one', 'two'])
  expect(asked.map(({ cursor }) => cursor)).toEqual([undefined, 'a', 'b', 'c', 'c'])
  expect(asked.at(-1)).toMatchObject({ sessionId: 's', maxBytes: 9_000_000 })
})

test('a history that cannot be read is not taken for an empty one', async () => {
  const unavailable = async () => ({ kind: 'unavailable', reason: 'projection_rebuilding' })
  await expect(historyBy(unavailable, {})).rejects.toThrow('projection_rebuilding')
  const reset = async () => ({ kind: 'reset', cursor: 'x' })
  await expect(historyBy(reset, {})).rejects.toThrow('being replaced')
  expect(await historyBy(async () => ({ kind: 'missing' }), {})).toEqual([])
})
