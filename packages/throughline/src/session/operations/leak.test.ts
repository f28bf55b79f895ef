import { expect, it } from 'vitest'
import { memoryStore } from '../../stores/memory.ts'
import { assistant, human, step } from '../../testing/generate/build.ts'
import { holderOf, leakOf, redactLeak } from './leak.ts'
import type { Store } from '../store.ts'

const secret = 'sk-live-0123456789abcdef'
const first = [
  human(`use ${secret}`),
  ...step('1', 'Read', { key: secret }, 'ok'),
  assistant('done'),
]

async function storeWithFork(): Promise<Store> {
  const store = memoryStore()
  await store.append('a', first)
  await store.append('fork', [...first, human('and more')])
  await store.append('other', [human('nothing of that')])
  return store
}

it.each([
  ['a text', { text: secret }, [1, 2], [1, 2]],
  ['what a ref names', { ref: '1' } as const, [1], [1]],
])('%s is found and taken out wherever a store holds it', async (_, what, here, elsewhere) => {
  const store = await storeWithFork()
  const leak = await leakOf(store, 'a', what)
  const found = async () =>
    Promise.all((await store.sessions()).map((stored) => holderOf(store, leak, stored)))
  const held = await found()
  expect(Object.fromEntries(held.map(({ session, seqs }) => [session, seqs]))).toEqual({
    a: here,
    fork: elsewhere,
    other: [],
  })
  for (const one of held) {
    const { session, seqs } = one
    expect(await redactLeak(store, one, { at: 7 })).toEqual({ session, seqs })
  }
  for (const { seqs } of await found()) expect(seqs).toEqual([])
  expect(await store.read('other')).toHaveLength(1)
  expect(JSON.stringify((await store.read('fork'))[0])).not.toContain(secret)
})

it('a session or a ref that is not there is named', async () => {
  const store = await storeWithFork()
  await expect(leakOf(store, 'none', { text: secret })).rejects.toThrow('no session "none"')
  await expect(leakOf(store, 'a', { ref: '99' })).rejects.toThrow('no ref "99"')
})
