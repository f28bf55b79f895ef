import { expect, test } from 'vitest'
import { memoryStore } from '../../stores/memory.ts'
import { human } from '../../testing/generate/build.ts'
import { recallReply } from './reply.ts'

async function reply(input: unknown) {
  const store = memoryStore()
  await store.append('a', [human('The port is 8123.')])
  return recallReply(store, 'a', input)
}

test.each([
  { ref: 1 },
  { ref: '1', path: '', words: null, offset: null },
  { words: ' port ', offset: '0' },
])('what models send for a question is taken as one: %j', async (input) => {
  await expect(reply(input)).resolves.toMatchObject({ text: expect.stringContaining('8123') })
})

test.each([undefined, null, 'port', 7, [], {}, { question: 'port' }, { ref: {} }])(
  'what is no question is answered by how to ask: %j',
  async (input) => {
    await expect(reply(input)).resolves.toMatchObject({
      error: expect.stringContaining('Give exactly one of ref, path and words'),
    })
  },
)

test('a store that fails is no mistake of the model', async () => {
  const store = { ...memoryStore(), read: () => Promise.reject(new Error('disk')) }
  await expect(recallReply(store, 'a', { ref: '1' })).rejects.toThrow('disk')
})
