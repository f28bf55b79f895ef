import { expect, test } from 'vitest'
import { draftsOf } from '../../testing/conformance/format-conformance.ts'
import { seen } from '../testing/seen.ts'
import { copilotCli } from './format.ts'

type Fields = Record<string, unknown>

function event(type: string, data: Fields, id = 'e'): Fields {
  return { type, data, id }
}

function user(content: string, id = 'e'): Fields {
  return event('user.message', { content }, id)
}

function assistant(content: string, calls: string[] = []): Fields {
  const toolRequests = calls.map((toolCallId) => ({ toolCallId, name: 'view', arguments: {} }))
  return event('assistant.message', { content, toolRequests })
}

function done(toolCallId: string): Fields {
  return event('tool.execution_complete', {
    toolCallId,
    success: true,
    result: { content: toolCallId },
  })
}

const start = event('session.compaction_start', { conversationTokens: 9 })

function complete(fields: Fields = {}): Fields {
  const data = { success: true, preCompactionTokens: 9, summaryContent: 'Sum.', ...fields }
  return event('session.compaction_complete', data, 'k1')
}

const work = [user('one', 'u1'), assistant('', ['c1']), done('c1'), assistant('first')]

test('a compaction keeps its summary and the words of the human', () => {
  const records = [...work, start, complete(), assistant('on')]
  expect(seen(copilotCli, records)).toEqual(['summary: Sum.', 'one', 'on'])
  expect(draftsOf(copilotCli, records)[4]).toMatchObject({
    kind: 'checkpoint',
    base: 4,
    summarizer: 'copilot-cli',
    continuation: null,
    metadata: { preTokens: 9, source: { records: ['k1'] } },
  })
})

test('what was said since the compaction began stays', () => {
  const meanwhile = [assistant('', ['c2']), done('c2'), user('two')]
  const records = [...work, start, ...meanwhile, complete(), assistant('on')]
  expect(seen(copilotCli, records)).toEqual([
    'summary: Sum.',
    'one',
    'tool-call',
    'c2',
    'two',
    'on',
  ])
})

test('a step that a compaction meets is not cut in two', () => {
  const open = [...work, assistant('', ['c2', 'c3']), done('c2')]
  const wanted = ['summary: Sum.', 'one', 'tool-call | tool-call', 'c2', 'c3', 'on']
  expect(seen(copilotCli, [...open, start, done('c3'), complete(), assistant('on')])).toEqual(
    wanted.toSpliced(3, 2, 'c2 | c3'),
  )
  expect(seen(copilotCli, [...open, complete(), done('c3'), assistant('on')])).toEqual(wanted)
})

test('a compaction that failed changed nothing, and the next one begins anew', () => {
  const failed = complete({ success: false, error: 'x' })
  const wanted = ['one', 'tool-call', 'c1', 'first', 'two']
  expect(seen(copilotCli, [...work, start, failed, user('two')])).toEqual(wanted)
  const records = [...work, start, failed, user('two'), complete()]
  expect(seen(copilotCli, records)).toEqual(['summary: Sum.', 'one', 'two'])
})

test('a compaction without a summary says so', () => {
  expect(seen(copilotCli, [...work, complete({ summaryContent: '' })])[0]).toContain('no summary')
})

test('going back takes an event and all behind it out of the view', () => {
  const records = [...work, user('two', 'u2'), assistant('second')]
  const back = event('session.snapshot_rewind', { upToEventId: 'u2' })
  expect(seen(copilotCli, [...records, back])).toEqual(['one', 'tool-call', 'c1', 'first'])
  expect(seen(copilotCli, [...records, back, complete()])).toEqual(['summary: Sum.', 'one'])
  const unknown = event('session.snapshot_rewind', { upToEventId: 'gone' })
  expect(seen(copilotCli, [...records, unknown])).toHaveLength(6)
})

test('a context that was cleared is empty', () => {
  const cleared = event('session.context_cleared', { messagesCleared: 4 })
  expect(seen(copilotCli, [...work, cleared, user('anew')])).toEqual(['anew'])
})
