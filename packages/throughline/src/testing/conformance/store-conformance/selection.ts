import { draft } from '../store-drafts.ts'
import { same, seqs } from './assert.ts'
import type { EntryDraft } from '../../../log/entry.ts'
import type { Selection, Store } from '../../../session/store.ts'
import type { CreateStore, StoreCase } from './store-case.ts'

const pin: EntryDraft = { kind: 'pin', at: 0, text: 'kept' }
const rewind: EntryDraft = { kind: 'rewind', at: 0, to: 1 }

// 1 message, 2 pin, 3 message, 4 rewind, 5 message, 6 pin, 7 message
const drafts = [draft('1'), pin, draft('3'), rewind, draft('5'), pin, draft('7')]

const selections: readonly [string, Selection, number[]][] = [
  ['up to a seq', { upTo: 3 }, [1, 2, 3]],
  ['between two seqs', { after: 2, upTo: 5 }, [3, 4, 5]],
  ['nothing up to a seq before the first', { after: 5, upTo: 2 }, []],
  ['of some kinds', { kinds: ['pin', 'rewind'] }, [2, 4, 6]],
  ['of no kind', { kinds: [] }, []],
  ['of a kind between two seqs', { kinds: ['pin'], after: 2, upTo: 6 }, [6]],
  ['the newest', { newest: 2 }, [6, 7]],
  ['more of the newest than there are', { newest: 99 }, [1, 2, 3, 4, 5, 6, 7]],
  ['the newest of a kind up to a seq', { kinds: ['message'], upTo: 6, newest: 1 }, [5]],
  ['named ones, each once, in their order', { seqs: [5, 1, 99, 5, -1, 0.5] }, [1, 5]],
  ['none of no names', { seqs: [] }, []],
  ['named ones up to a seq', { seqs: [1, 3, 7], upTo: 6 }, [1, 3]],
  ['many named ones', { seqs: Array.from({ length: 40_000 }, (_, index) => index + 6) }, [6, 7]],
]

/** What is read of a session when only a part of it is asked for. */
export const selectionCases: readonly StoreCase[] = selections.map(
  ([what, selection, expected]) => ({
    name: `reads ${what}`,
    async run(createStore) {
      const store = await withTwo(createStore)
      same(seqs(await store.read('a', selection)), expected)
    },
  }),
)

/** A second session next to it, whose entries must never be read with those of the first. */
async function withTwo(createStore: CreateStore): Promise<Store> {
  const store = await createStore()
  await store.append('b', [pin, draft('2')])
  await store.append('a', drafts)
  await store.append('b', [draft('3'), rewind, pin])
  return store
}
