import { redactText } from '../../log/redaction/redaction.ts'
import { rewritingOf } from '../../session/operations/redaction.ts'
import { draft } from '../store-drafts.ts'
import { same, texts } from './assert.ts'
import type { StoreCase } from './store-case.ts'

const secret = 'hunter2hunter2'
const redaction = rewritingOf(redactText(secret), 7)

/** Redaction: it changes only what was asked, in one transaction, for good. */
export const redactionCases: readonly StoreCase[] = [
  {
    name: 'redacts a text wherever it occurs, keeps seqs, and notes what it did',
    async run(createStore) {
      const store = await createStore()
      await store.append('b', [draft(`mine is ${secret}`)])
      await store.append('a', [draft('1'), draft(`it is ${secret}!`), draft(secret), draft('4')])
      const note = {
        kind: 'observation',
        at: 7,
        observation: { type: 'redaction', seqs: [2, 3] },
        seq: 5,
      }
      same(await store.redact('a', redaction), note)
      const entries = await store.read('a')
      same(texts(entries.slice(0, 4)), ['1', 'it is [redacted]!', '[redacted]', '4'])
      same(entries[4], note)
      same(texts(await store.read('b')), [`mine is ${secret}`])
    },
  },
  {
    name: 'writes nothing where there is nothing to redact',
    async run(createStore) {
      const store = await createStore()
      await store.append('a', [draft('1')])
      same(await store.redact('a', redaction), undefined)
      same(await store.redact('nobody', redaction), undefined)
      same(texts(await store.read('a')), ['1'])
      same((await store.sessions()).length, 1)
    },
  },
  {
    name: 'does not find what was redacted, and finds the rest',
    async run(createStore) {
      const store = await createStore()
      await store.append('a', [draft(`apple ${secret}`), draft('pear')])
      const search = (word: string) =>
        store.search('a', { phrases: [[word]], match: 'all', limit: 9 })
      same(await search(secret), [1])
      await store.redact('a', redaction)
      same(await search(secret), [])
      same(await search('apple'), [1])
      same(await search('pear'), [2])
    },
  },
  {
    name: 'makes a condition from before a redaction fail',
    async run(createStore) {
      const store = await createStore()
      await store.append('a', [draft(secret)])
      await store.redact('a', redaction)
      const outcome = store.append('a', [draft('2')], { newest: 1 })
      same(
        await outcome.then(
          () => 'appended',
          () => 'refused',
        ),
        'refused',
      )
    },
  },
]
