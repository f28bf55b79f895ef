import { expect, it } from 'vitest'
import { contextOf } from '../../log/context/context.ts'
import { chronological } from '../../log/order.ts'
import { memoryStore } from '../../stores/memory.ts'
import { assistant, human, logFrom, step } from '../../testing/generate/build.ts'
import { forkStored, importSession } from './import-session.ts'
import { readStored } from './read-stored.ts'

const log = logFrom([human('go'), step('1', 'Read', {}, 'x'), assistant('done'), human('more')])
const read = { format: 'made', facts: { model: 'm', system: 'Be.' }, log }

it('a fork knows what its original knows, wherever it begins', async () => {
  const store = memoryStore()
  await importSession(store, read, { id: 'a', source: '/code/a' })
  for (const upTo of [1, 3, 5, 6]) {
    expect(await forkStored(store, 'a', `fork-${upTo}`, { upTo })).toBe(upTo)
    const fork = await readStored(store, `fork-${upTo}`)
    expect(fork.facts).toEqual({ model: 'm', system: 'Be.', format: 'made', source: '/code/a' })
    expect(contextOf(fork.log).items).toEqual(contextOf(chronological(log.slice(0, upTo))).items)
  }
})

it('a fork takes up what is new in the file of its original', async () => {
  const store = memoryStore()
  await importSession(store, read, { id: 'a' })
  await forkStored(store, 'a', 'b', { upTo: 3 })
  expect(await importSession(store, read, { id: 'b' })).toMatchObject({ added: 2, known: 3 })
})

it('of a session that was not imported there is nothing to note', async () => {
  const store = memoryStore()
  await store.append('a', [human('go'), assistant('done', { model: 'm' })])
  await forkStored(store, 'a', 'b')
  expect(await store.read('b')).toEqual(await store.read('a'))
})
