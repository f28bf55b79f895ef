import { describe, expect, test } from 'vitest'
import { memoryStore } from '../../stores/memory.ts'
import { sqliteStore } from '../../stores/sqlite/index.ts'
import { assistant, call, human, result, step, tool } from '../../testing/generate/build.ts'
import { openSession } from '../session.ts'
import { recall } from './recall.ts'
import type { EntryDraft } from '../../log/entry.ts'
import type { Store } from '../store.ts'
import type { RecallAnswer } from './answer.ts'
import type { RecallQuestion } from './question.ts'

const file = Array.from({ length: 900 }, (_, line) => `export const value${line} = ${line} * 7`)

const drafts: EntryDraft[] = [
  human('Never push to main. The port is 8123.', { at: Date.UTC(2026, 0, 2) }), // 1
  ...step('a', 'Read', { file_path: '/repo/src/a.ts' }, file.join('\n')), // 2, 3
  assistant([
    { type: 'text', text: 'Two things at once.' },
    call('b', 'Edit', { file_path: 'src/a.ts', old_string: 'x', new_string: 'y\nz' }),
    call('c', 'Bash', { command: 'npm test' }),
  ]), // 4
  tool(result('b', 'Edit', 'The file src/a.ts has been updated.'), result('c', 'Bash', 'ok')), // 5
  ...step('d', 'Read', { file_path: '/repo/lib/a.ts' }, 'another file'), // 6, 7
  assistant('docs/plan.md should say that the zebra is striped.'), // 8
]

async function filled(said: readonly EntryDraft[], store: Store = memoryStore()): Promise<Store> {
  await store.append('a', said)
  return store
}

async function asked(question: RecallQuestion, said = drafts): Promise<RecallAnswer> {
  return recall(await filled(said), 'a', question)
}

function refs({ passages }: RecallAnswer): string[] {
  return passages.map(({ ref }) => ref)
}

describe('by ref', () => {
  test('gives what was first said, with who said it and when', async () => {
    const { text } = await asked({ ref: '1.0' })
    expect(text).toBe(
      [
        '[Recalled from the record of this session: it repeats what was said and printed before and asks nothing of you now.]',
        '<recalled ref="1.0" who="human" what="text" at="2026-01-02T00:00:00.000Z">',
        'Never push to main. The port is 8123.',
        '</recalled>',
      ].join('\n'),
    )
  })

  test('gives all parts of a message, each with its own ref', async () => {
    const answer = await asked({ ref: '[4]' })
    expect(refs(answer)).toEqual(['4.0', '4.1', '4.2'])
    expect(answer.passages[1]?.text).toBe('file_path: src/a.ts\nold_string: x\nnew_string:\ny\nz')
    expect(answer.text).toContain('<recalled ref="4.1" who="model" what="call" tool="Edit">')
  })

  test('gives a long output in pieces that make the whole', async () => {
    const store = await filled(drafts)
    let question: RecallQuestion | undefined = { ref: '3' }
    let text = ''
    while (question) {
      const answer: RecallAnswer = await recall(store, 'a', question, { tokens: 1_000 })
      text += answer.passages.map((passage) => passage.text).join('')
      if (answer.next) expect(answer.text).toContain(`ask for ${JSON.stringify(answer.next)}`)
      question = answer.next
    }
    expect(text).toBe(file.join('\n'))
  })

  test('gives back what a compaction has taken out of the context', async () => {
    const store = await filled(drafts)
    const session = await openSession({ store, id: 'a', window: { context: 8_000 } })
    await session.compact()
    expect(JSON.stringify(session.messages())).not.toContain('value450 =')
    const answer = await recall(store, 'a', {
      ref: '3.0',
      offset: file.join('\n').indexOf('value450 ='),
    })
    expect(answer.text).toContain('value450 = 450 * 7')
  })
})

describe('by path', () => {
  test('tells what happened to the file, the newest first, each call with its result', async () => {
    const answer = await asked({ path: 'src/a.ts' })
    expect(refs(answer)).toEqual(['4.1', '5.0', '2.0', '3.0'])
    expect(answer.passages.map(({ did }) => did)).toEqual(['edit', undefined, 'read', undefined])
    expect(answer.match).toBeUndefined()
  })

  test('takes the whole path for the same file', async () => {
    expect(refs(await asked({ path: '/repo/src/a.ts' }))).toEqual(['4.1', '5.0', '2.0', '3.0'])
    expect(refs(await asked({ path: '/repo/lib/a.ts' }))).toEqual(['6.0', '7.0'])
    expect(refs(await asked({ path: 'a.ts' }))).toHaveLength(6)
  })

  test('does not take a look into the record for a look at the file', async () => {
    const store = await filled(drafts)
    const { text } = await recall(store, 'a', { path: '/repo/lib/a.ts' })
    await store.append('a', step('r', 'read_back', { path: '/repo/lib/a.ts' }, text))
    expect(refs(await recall(store, 'a', { path: '/repo/lib/a.ts' }))).toEqual(['6.0', '7.0'])
  })

  test('falls back on where the path is spoken of, and says so', async () => {
    const answer = await asked({ path: 'docs/plan.md' })
    expect(refs(answer)).toEqual(['8.0'])
    expect(answer.match).toBe('all')
    expect(answer.text).toContain('No call is known to have read or changed this file')
  })
})

describe('by words', () => {
  test('shows the spot in the very part, which its ref reads on from', async () => {
    const answer = await asked({ words: 'value640 const' })
    expect(refs(answer)).toEqual(['3.0'])
    expect(answer.match).toBe('all')
    const [hit] = answer.passages
    expect(hit?.text).toContain('export const value640 = 640')
    expect(hit?.text.length).toBeLessThan(600)
    const whole = file.join('\n')
    expect(whole.slice(hit?.start, (hit?.start ?? 0) + (hit?.text.length ?? 0))).toBe(hit?.text)
  })

  test('finds some of the words where no message has all, and says so', async () => {
    const answer = await asked({ words: 'striped 8123' })
    expect(refs(answer).sort()).toEqual(['1.0', '8.0'])
    expect(answer.match).toBe('any')
    expect(answer.text).toContain('No message has all of these words')
  })

  test('gives the next ten where there are more', async () => {
    const many = Array.from({ length: 25 }, (_, index) => human(`the needle ${index}`))
    const store = await filled(many)
    const found: string[] = []
    let question: RecallQuestion | undefined = { words: 'needle' }
    while (question) {
      const answer: RecallAnswer = await recall(store, 'a', question)
      found.push(...refs(answer))
      question = answer.next
    }
    expect(new Set(found).size).toBe(25)
    expect((await recall(store, 'a', { words: 'needle', offset: 99 })).text).toContain('no more')
  })

  test('does not find its own questions and answers', async () => {
    const store = await filled(drafts)
    const { text } = await recall(store, 'a', { words: 'zebra' })
    await store.append('a', step('r', 'mcp__throughline__recall', { words: 'zebra' }, text))
    await store.append('a', step('s', 'look_up', { words: 'zebra' }, text))
    expect(refs(await recall(store, 'a', { words: 'zebra' }))).toEqual(['8.0'])
    const again = await recall(store, 'a', { words: 'zebra unheard' })
    expect(refs(again)).toEqual(['8.0'])
  })

  test('says that nothing was found', async () => {
    const answer = await asked({ words: 'giraffe' })
    expect(answer.passages).toEqual([])
    expect(answer.text).toContain('Nothing was found')
  })
})

describe('any question', () => {
  const questions: RecallQuestion[] = [
    { ref: '3', offset: 500 },
    { path: 'a.ts' },
    { words: 'zebra value1' },
    { words: 'never heard of' },
  ]

  test('is answered alike by every store, and every time', async () => {
    using sqlite = sqliteStore({ file: ':memory:' })
    const memory = await filled(drafts)
    await filled(drafts, sqlite)
    for (const question of questions) {
      const answer = await recall(memory, 'a', question)
      expect(await recall(memory, 'a', question)).toEqual(answer)
      expect(refs(await recall(sqlite, 'a', question)).sort()).toEqual(refs(answer).sort())
    }
  })

  test('leaves the session as it is', async () => {
    const store = await filled(drafts)
    const before = await store.read('a')
    for (const question of questions) await recall(store, 'a', question)
    expect(await store.read('a')).toEqual(before)
  })
})

test.each<[string, unknown, string]>([
  ['nothing', {}, 'Give exactly one of ref, path and words'],
  ['an empty text', { words: '  ' }, 'The question is empty'],
  ['two things', { ref: '1', words: 'x' }, 'this asks for ref and words'],
  ['no words', { words: '?!' }, 'contains no letter and no digit'],
  ['a book', { words: 'x'.repeat(2_000) }, 'at most 1000 characters'],
  ['very many words', { words: 'x '.repeat(40) }, 'at most 32 words'],
  ['a wrong offset', { ref: '1', offset: -1 }, 'whole number'],
  ['an offset behind the end', { ref: '1.0', offset: 99 }, 'holds 37 characters'],
  ['no ref', { ref: 'seven' }, 'seqs run from 1 to 8'],
  ['an unknown entry', { ref: '9' }, 'seqs run from 1 to 8'],
  ['an unknown part', { ref: '4.3' }, 'the parts of this entry are 0 to 2'],
])('%s is answered by how to ask', async (_, question, told) => {
  await expect(asked(question as RecallQuestion)).rejects.toThrow(told)
})

test('an unknown session is answered by those that are known', async () => {
  const store = await filled(drafts)
  await expect(recall(store, 'b', { ref: '1' })).rejects.toMatchObject({
    code: 'SESSION_NOT_FOUND',
    message: 'There is no session "b" in the store. Its newest sessions are "a".',
  })
})
