import { describe, expect, test } from 'vitest'
import { contextOf } from '../../log/context/context.ts'
import { draftsOf, logOf } from '../../testing/conformance/format-conformance.ts'
import { factsIn, outline } from '../testing/outline.ts'
import { opencode } from '../opencode/format.ts'
import { opencodeExport } from '../opencode/sample.ts'
import { opencodeV2 } from './format.ts'
import { opencodeV2Export } from './sample.ts'
import { opencodeV2Writer } from './writer.ts'
import { seen } from '../testing/seen.ts'
import { testIdentity } from '../../testing/conformance/writer-conformance.ts'

type Fields = Record<string, unknown>

const time = { created: Date.UTC(2026, 10, 22) }

function session(messages: Fields[], info: Fields = {}): Fields[] {
  return [{ info: { id: 'ses_1', location: { directory: '/code' }, ...info }, messages }]
}

function user(text: string, id = `msg_${text}`): Fields {
  return { id, type: 'user', text, time }
}

function reply(...content: Fields[]): Fields {
  return { id: `msg_r${content.length}`, type: 'assistant', content, time }
}

function compaction(fields: Fields): Fields {
  return { id: 'msg_k', type: 'compaction', status: 'completed', reason: 'auto', time, ...fields }
}

test('each version recognises its own exports', () => {
  expect([opencode, opencodeV2].map(({ recognises }) => recognises(opencodeV2Export))).toEqual([
    false,
    true,
  ])
  expect([opencode, opencodeV2].map(({ recognises }) => recognises(opencodeExport))).toEqual([
    true,
    false,
  ])
})

test('a session says what it is called, where it is and which model answered', () => {
  const { omitted, ...facts } = factsIn(opencodeV2, opencodeV2Export)
  expect(facts).toEqual({ id: 'ses_1', title: 'Read a file', directory: '/code', model: 'gpt-x' })
  expect(omitted).toEqual({ unfinished: 1 })
})

test('all that a session holds stands in the order of its messages', () => {
  expect(outline(opencodeV2, opencodeV2Export)).toEqual([
    'harness: The directory is /code.',
    'human: Read it. | image | file',
    'model: reasoning | I read it. | tool-call c1 | tool-call c2',
    'tool: tool-result c1 | tool-result c2',
    'harness: The tools have changed.',
    'checkpoint: ## Objective\nTo read it.\n\n<recent-context>\n[User]: Read it.\n</recent-context>, kept ',
    'harness: The user ran a command: pwd\n\n/code\n\nIt ended with 1.',
    'human: More.',
    'model: tool-call c3 | tool-result c3 | tool-call c4',
  ])
})

test('usage counts what was cached and what was thought', () => {
  const said = draftsOf(opencodeV2, opencodeV2Export).find(
    (draft) => draft.kind === 'message' && draft.origin === 'model',
  )
  const usage = { inputTokens: 120, outputTokens: 5, cacheReadTokens: 100, cacheWriteTokens: 0 }
  expect(said).toMatchObject({ usage, finish: 'tool-calls', model: 'claude-x' })
})

describe('a call that', () => {
  const call = (state: Fields): Fields => reply({ type: 'tool', id: 'c', name: 'shell', state })
  test.each([
    ['failed', { status: 'error', error: { message: 'no' } }, { type: 'error-text', value: 'no' }],
    [
      'is done',
      { status: 'completed', content: [{ type: 'text', text: 'a' }] },
      { type: 'text', value: 'a' },
    ],
  ])('%s has a result', (_, state, output) => {
    const [, result] = draftsOf(opencodeV2, session([call(state)]))
    expect(result).toMatchObject({ message: { content: [{ toolCallId: 'c', output }] } })
  })

  test.each(['streaming', 'running'])('is %s has none yet', (status) => {
    expect(outline(opencodeV2, session([call({ status, input: {} })]))).toEqual([
      'model: tool-call c',
    ])
  })
})

test('only a compaction that succeeded changes what the model sees', () => {
  const failed = compaction({ status: 'failed', id: 'msg_f' })
  const done = compaction({ summary: 'Sum.', recent: '' })
  expect(seen(opencodeV2, session([user('a'), failed]))).toEqual(['a'])
  expect(seen(opencodeV2, session([user('a'), done, user('b')]))).toEqual(['summary: Sum.', 'b'])
})

test('the human went back to before a message', () => {
  const records = session([user('a'), user('b')], { revert: { messageID: 'msg_b' } })
  expect(seen(opencodeV2, records)).toEqual(['a'])
})

test('what is written is settled, and nothing in it is empty that may not be', () => {
  const call = { type: 'tool-call' as const, toolCallId: 'c', toolName: 'shell', input: {} }
  const output = { type: 'content' as const, value: [] }
  const result = { type: 'tool-result' as const, toolCallId: 'c', toolName: 'shell', output }
  const { text } = opencodeV2Writer.write(
    {
      summary: 'Sum.',
      title: 'What it was',
      facts: { model: 'claude-x' },
      messages: [
        { message: { role: 'assistant', content: [call] }, origin: 'model', at: 1 },
        { message: { role: 'tool', content: [result] }, origin: 'tool', at: 2 },
        { message: { role: 'user', content: 'Go.' }, origin: 'synthetic', at: 3 },
      ],
    },
    testIdentity(),
  )
  const written = JSON.parse(text)
  expect(written.info).toMatchObject({
    title: 'What it was',
    location: { directory: '/code/project' },
  })
  expect(written.messages).toMatchObject([
    { type: 'compaction', status: 'completed', reason: 'manual', summary: 'Sum.', recent: '' },
    {
      type: 'assistant',
      model: { providerID: 'anthropic', id: 'claude-x' },
      time: { completed: 1 },
      content: [{ type: 'tool', id: 'c', state: { status: 'completed', content: [{ text: '' }] } }],
    },
    { type: 'synthetic', text: 'Go.' },
  ])
  expect(new Set(written.messages.map(({ id }: Fields) => id)).size).toBe(3)
  expect(text).not.toContain('"tokens": {\n          "input"')
  const { items } = contextOf(logOf(draftsOf(opencodeV2, [written])))
  expect(items.map((item) => item.type)).toEqual(['summary', 'message', 'message', 'message'])
})

test('a message that is exported twice is read once, and the other is told', () => {
  const twice = session([user('Read.'), user('Read.'), user('More.')])
  expect(seen(opencodeV2, twice)).toEqual(['Read.', 'More.'])
  expect(factsIn(opencodeV2, twice).omitted).toEqual({ duplicate: 1 })
})
