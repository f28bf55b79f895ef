import { searchPhrases } from '../../../session/recall/search-words.ts'
import { draft } from '../store-drafts.ts'
import { same } from './assert.ts'
import type { EntryDraft } from '../../../log/entry.ts'
import type { Search, Store } from '../../../session/store.ts'
import type { StoreCase } from './store-case.ts'

const call: EntryDraft = {
  kind: 'message',
  at: 0,
  origin: 'model',
  message: {
    role: 'assistant',
    content: [
      {
        type: 'tool-call',
        toolCallId: 'c',
        toolName: 'read_file',
        input: { path: 'src/log/ref.ts' },
      },
    ],
  },
}
const result: EntryDraft = {
  kind: 'message',
  at: 0,
  origin: 'tool',
  message: {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'c',
        toolName: 'read_file',
        output: { type: 'text', value: 'export function parseRef(text: string)\0 {}' },
      },
    ],
  },
}

const drafts = [
  draft('The parser fails on an empty line. Never push to main.'), // 1
  call, // 2
  result, // 3
  draft('Größe der Datei: sửa lỗi trong tệp'), // 4
  draft('数据库连接失败，请检查配置'), // 5
  draft('the main parser'), // 6
  { kind: 'pin', at: 0, text: 'parser' } satisfies EntryDraft, // 7
]

const questions: readonly [string, string, Search['match'], number[]][] = [
  ['all words in any order', 'line parser', 'all', [1]],
  ['any of the words', 'empty parser', 'any', [1, 3, 6]],
  ['the beginning of a word', 'pars', 'all', [1, 3, 6]],
  ['no word by its end', 'arser', 'all', []],
  ['the parts of a path in a row', 'src/log/ref.ts', 'all', [2]],
  ['no path in another order', 'log/src/ref.ts', 'all', []],
  ['a name whatever its case', 'PARSEREF', 'all', [3]],
  ['the name of a tool', 'read_file', 'all', [2, 3]],
  ['words without their accents', 'grosse loi tep', 'any', [4]],
  ['a word within a script without spaces', '连接', 'all', [5]],
  ['nothing for what was never said', 'zebra', 'all', []],
  ['nothing for no words', '?! --', 'any', []],
  ['operators as plain words', 'parser AND NOT "main', 'all', []],
]

/** What a search finds: the same messages in every store. */
export const searchCases: readonly StoreCase[] = [
  ...questions.map(([what, question, match, expected]): StoreCase => ({
    name: `finds ${what}`,
    async run(createStore) {
      const store = await createStore()
      await store.append('b', [draft('parser line src/log/ref.ts zebra')])
      await store.append('a', drafts)
      same(await found(store, question, match), expected)
    },
  })),
  {
    name: 'finds what was appended after a search',
    async run(createStore) {
      const store = await createStore()
      await store.append('a', [draft('one apple')])
      same(await found(store, 'apple'), [1])
      await store.append('a', [draft('two apples'), draft('none')])
      same(await found(store, 'apple'), [1, 2])
    },
  },
  {
    name: 'finds no more than requested, the best first',
    async run(createStore) {
      const store = await createStore()
      const filler = 'and nothing else of note '.repeat(20)
      await store.append('a', [draft(`apple ${filler}`), draft('apple apple apple'), draft(filler)])
      const search: Search = { phrases: [['apple']], match: 'all', limit: 1 }
      same(await store.search('a', search), [2])
    },
  },
  {
    name: 'finds nothing in a session that was removed',
    async run(createStore) {
      const store = await createStore()
      await store.append('a', [draft('apple')])
      same(await found(store, 'apple'), [1])
      await store.remove('a')
      same(await found(store, 'apple'), [])
      await store.append('a', [draft('pear'), draft('apple')])
      same(await found(store, 'apple'), [2])
    },
  },
]

async function found(
  store: Store,
  question: string,
  match: Search['match'] = 'all',
): Promise<number[]> {
  const phrases = searchPhrases(question)
  return (await store.search('a', { phrases, match, limit: 100 })).sort((a, b) => a - b)
}
