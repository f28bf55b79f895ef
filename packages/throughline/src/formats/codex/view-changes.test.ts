import { expect, test } from 'vitest'
import { draftsOf, logOf } from '../../testing/conformance/format-conformance.ts'
import { contextOf } from '../../log/context/context.ts'
import { partsOf } from '../../log/message.ts'
import { codex } from './format.ts'

type Fields = Record<string, unknown>

function item(payload: Fields): Fields {
  return { type: 'response_item', payload }
}

function message(role: string, text: string): Fields {
  const type = role === 'assistant' ? 'output_text' : 'input_text'
  const phase = role === 'assistant' && { phase: 'final_answer' }
  return { type: 'message', role, content: [{ type, text }], ...phase }
}

function compacted(replacement_history?: Fields[], text = ''): Fields {
  return { type: 'compacted', payload: { message: text, replacement_history } }
}

const rollback = (num_turns: number): Fields => ({
  type: 'event_msg',
  payload: { type: 'thread_rolled_back', num_turns },
})

/** What the model sees in the end. */
function seen(records: Fields[]): string[] {
  return contextOf(logOf(draftsOf(codex, records))).items.map((context) => {
    if (context.type === 'summary') return `summary: ${context.summary}`
    if (context.type !== 'message') return context.type
    return partsOf(context.message)
      .map((part) => (part.type === 'text' ? part.text : part.type))
      .join(' | ')
  })
}

const work = [
  item(message('user', 'continue')),
  item({ type: 'function_call', name: 'exec_command', arguments: '{}', call_id: 'c1' }),
  item({ type: 'function_call_output', call_id: 'c1', output: 'files' }),
  item(message('assistant', 'First.')),
  item(message('user', 'continue')),
  item(message('assistant', 'Second.')),
]

const summaryText = 'Another language model started to solve this problem. It did this.'

test('a compaction keeps the entries that its replacement repeats, the newest of equal ones', () => {
  const kept = [message('user', 'continue'), message('assistant', 'Second.')]
  const records = [...work, compacted([...kept, message('user', summaryText)])]
  expect(draftsOf(codex, records).at(-1)).toMatchObject({
    kind: 'checkpoint',
    base: 6,
    summary: summaryText,
    summarizer: 'codex',
    tail: [
      { type: 'entry', seq: 5 },
      { type: 'entry', seq: 6 },
    ],
  })
})

test('what the replacement holds beyond the entries is given before it, marked as restored', () => {
  const records = [
    ...work,
    compacted([message('user', '# AGENTS.md instructions'), message('user', 'continue')]),
  ]
  const drafts = draftsOf(codex, records)
  expect(drafts.at(-2)).toMatchObject({ origin: 'harness', metadata: { restored: true } })
  expect(drafts.at(-1)).toMatchObject({ base: 7 })
  expect(seen(records).slice(1)).toEqual(['# AGENTS.md instructions', 'continue'])
})

test('an answer is the same with and without the search that the provider ran for it', () => {
  const search = item({ type: 'web_search_call', action: { query: 'x' } })
  const found = message('assistant', 'Found.')
  const draft = draftsOf(codex, [...work, search, item(found), compacted([found])]).at(-1)
  expect(draft).toMatchObject({ base: 7, tail: [{ type: 'entry', seq: 7 }] })
  const before = item({ ...message('assistant', 'I search.'), phase: 'commentary' })
  const records = [...work, before, search, item(found), compacted([found])]
  expect(draftsOf(codex, records).at(-1)).toMatchObject({ base: 7, tail: [{ seq: 7 }] })
})

test('the same entries can be kept by one compaction after another', () => {
  const kept = [message('user', 'continue'), message('assistant', 'Second.')]
  const records = [...work, compacted(kept), item(message('user', 'more')), compacted(kept)]
  expect(seen(records).slice(1)).toEqual(['continue', 'Second.'])
  expect(draftsOf(codex, records)).toHaveLength(9)
})

test('a summary that is encrypted is said to be so, and kept', () => {
  const opaque = { type: 'compaction', encrypted_content: 'xyz' }
  const draft = draftsOf(codex, [...work, compacted([message('user', 'continue'), opaque])]).at(-1)
  expect(draft).toMatchObject({
    summary: expect.stringContaining('encrypted'),
    metadata: { codex: { encryptedContent: 'xyz' } },
    tail: [{ type: 'entry', seq: 5 }],
  })
})

test('where nothing is listed, the messages of the human are what was kept', () => {
  const records = [...work, compacted(undefined, 'We did this.')]
  expect(seen(records)).toEqual(['summary: We did this.', 'continue', 'continue'])
})

test('calls that a replacement repeats keep their results', () => {
  const kept = work.slice(1, 3).map((record) => record['payload'] as Fields)
  expect(seen([...work, compacted(kept)]).slice(1)).toEqual(['tool-call', 'tool-result'])
})

test('turns that were rolled back are not what the model sees', () => {
  expect(seen([...work, rollback(1)])).toEqual(['continue', 'tool-call', 'tool-result', 'First.'])
  expect(seen([...work, rollback(1), item(message('user', 'else'))]).at(-1)).toBe('else')
  expect(seen([...work, rollback(9)])).toEqual([])
  const [summary] = seen([...work, compacted([]), item(message('user', 'x')), rollback(5)])
  expect(summary).toContain('encrypted')
})
