import { redactText } from '../../../log/redaction/redaction.ts'
import { rewritingOf } from '../../../session/operations/redaction.ts'
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
  {
    name: 'redacts what the caller knows and what came later, on its condition',
    async run(createStore) {
      const store = await createStore()
      await store.append('a', [draft(secret), draft('2'), draft(secret), draft(`4 ${secret}`)])
      const [first] = await store.read('a', { newest: 1 })
      const holds = { seq: 4, at: first?.at ?? 0 }
      const known = { upTo: 3, seqs: [1, 3] }
      const refused = store.redact('a', { ...redaction, known, condition: { holds, newest: 3 } })
      same(
        await refused.then(
          () => 'done',
          () => 'refused',
        ),
        'refused',
      )
      same(texts(await store.read('a')), [secret, '2', secret, `4 ${secret}`])
      const note = await store.redact('a', { ...redaction, known, condition: { holds } })
      same(note?.kind === 'observation' && note.observation, { type: 'redaction', seqs: [1, 3, 4] })
      same(texts((await store.read('a')).slice(0, 4)), [
        '[redacted]',
        '2',
        '[redacted]',
        '4 [redacted]',
      ])
    },
  },
  {
    name: 'redacts short texts, again and again, and keeps everything else',
    async run(createStore) {
      const store = await createStore()
      const all = Array.from({ length: 30 }, (_, n) => draft(`${n} ${'abc123 '.repeat(n % 9)}end`))
      await store.append('a', all)
      await store.redact('a', rewritingOf(redactText('abc123'), 7))
      const said = texts((await store.read('a')).slice(0, 30))
      same(
        said.map((text) => String(text).replace(/(?:\[redacted\]|\[…\]) /g, '')),
        all.map((_, n) => `${n} end`),
      )
    },
  },
]
