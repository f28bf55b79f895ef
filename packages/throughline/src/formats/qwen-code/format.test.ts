import { describe, expect, test } from 'vitest'
import { draftsOf } from '../../testing/conformance/format-conformance.ts'
import { factsIn, outline } from '../testing/outline.ts'
import { qwenCode } from './format.ts'
import { seen } from '../testing/seen.ts'

type Fields = Record<string, unknown>

/** Records that follow each other, each behind the one before it. */
function chain(...records: Fields[]): Fields[] {
  return records.map((record, index) => ({
    uuid: `q${index}`,
    parentUuid: index === 0 ? null : `q${index - 1}`,
    sessionId: 's',
    timestamp: '2026-11-22T03:04:00.000Z',
    cwd: '/code',
    ...record,
  }))
}

function user(text: string, fields: Fields = {}): Fields {
  return { type: 'user', message: { role: 'user', parts: [{ text }] }, ...fields }
}

function reply(...parts: Fields[]): Fields {
  return { type: 'assistant', message: { role: 'model', parts } }
}

function call(id: string): Fields {
  return { functionCall: { id, name: 'read_file', args: { file_path: '/a' } } }
}

function response(id: string, output: string): Fields {
  return { functionResponse: { id, name: 'read_file', response: { output } } }
}

function result(id: string, output: string, fields: Fields = {}): Fields {
  return {
    type: 'tool_result',
    message: { role: 'user', parts: [response(id, output)] },
    ...fields,
  }
}

function compaction(...compressedHistory: Fields[]): Fields {
  return { type: 'system', subtype: 'chat_compression', systemPayload: { compressedHistory } }
}

const said = (role: string, ...parts: Fields[]): Fields => ({ role, parts })
const snapshot = said('user', { text: '<state_snapshot>It did.' })
const noted = said('model', { text: 'Got it. Thanks for the additional context!' })
const telemetry: Fields = { type: 'system', subtype: 'ui_telemetry', systemPayload: {} }

describe('steps', () => {
  test('a reply has its usage, its model and its thoughts, and its results follow as one message', () => {
    const usage = { promptTokenCount: 20, cachedContentTokenCount: 5, candidatesTokenCount: 3 }
    const made = { model: 'qwen-x', usageMetadata: usage, contextWindowSize: 60_000 }
    const thought = { text: 'Hm.', thought: true }
    const records = chain(
      user('Read.'),
      { ...reply(thought, { text: 'I read.' }, call('c1'), call('c2')), ...made },
      telemetry,
      result('c1', 'a'),
      result('c2', 'no', { toolCallResult: { callId: 'c2', status: 'error' } }),
      reply({ text: 'Done.' }),
    )
    expect(draftsOf(qwenCode, records)).toMatchObject([
      { origin: 'human', at: Date.parse('2026-11-22T03:04:00.000Z') },
      {
        origin: 'model',
        model: 'qwen-x',
        usage: { inputTokens: 20, outputTokens: 3, cacheReadTokens: 5 },
        message: {
          content: [
            { type: 'reasoning', text: 'Hm.' },
            { type: 'text', text: 'I read.' },
            { type: 'tool-call', toolCallId: 'c1', input: { file_path: '/a' } },
            { type: 'tool-call', toolCallId: 'c2' },
          ],
        },
      },
      {
        origin: 'tool',
        message: {
          content: [
            { toolCallId: 'c1', output: { type: 'text', value: 'a' } },
            { toolCallId: 'c2', output: { type: 'error-text', value: 'no' } },
          ],
        },
      },
      { origin: 'model', finish: 'stop' },
    ])
    expect(factsIn(qwenCode, records)).toEqual({
      id: 's',
      directory: '/code',
      model: 'qwen-x',
      window: 60_000,
    })
  })

  test('thoughts that a provider counts apart are part of what the model gave', () => {
    const usageMetadata = {
      promptTokenCount: 20,
      candidatesTokenCount: 3,
      thoughtsTokenCount: 4,
      totalTokenCount: 27,
    }
    const [draft] = draftsOf(qwenCode, chain({ ...reply({ text: 'x' }), usageMetadata }))
    expect(draft).toMatchObject({ usage: { inputTokens: 20, outputTokens: 7 } })
  })
})

describe('whose words are in the user’s place', () => {
  test('those of the human, and what the harness put beside them', () => {
    const words = '<system-reminder>\nThe date.\n</system-reminder>Go on.'
    expect(outline(qwenCode, chain(user(words), user('Please continue.')))).toEqual([
      'harness: <system-reminder>\nThe date.\n</system-reminder>',
      'human: Go on.',
      'harness: Please continue.',
    ])
  })

  test('notices of its own are the harness’s, whatever they say', () => {
    const kinds = [{ subtype: 'cron' }, { provenance: 'system' }, { subtype: 'notification' }]
    const records = chain(...kinds.map((kind) => user('Go on.', kind)))
    expect(outline(qwenCode, records)).toEqual(kinds.map(() => 'harness: Go on.'))
  })
})

describe('the view', () => {
  const work = chain(
    user('one'),
    reply(call('c1')),
    result('c1', 'a long text'),
    reply({ text: 'first' }),
    user('two'),
    reply({ text: 'second' }),
  )

  test('goes back with a record that follows an older one', () => {
    const rewind = { type: 'system', subtype: 'rewind', systemPayload: {} }
    const back = [...chain(...work, rewind, user('else'))].map((record, index) =>
      index === 6 ? { ...record, parentUuid: 'q3' } : record,
    )
    expect(seen(qwenCode, back)).toEqual(['one', 'tool-call', 'a long text', 'first', 'else'])
  })

  test('stays with a record that the model does not see, wherever that one hangs', () => {
    const title = { ...telemetry, uuid: 'title', parentUuid: 'q1', sessionId: 's' }
    const next = { ...chain(user('three'))[0], uuid: 'q6', parentUuid: 'q5' }
    expect(seen(qwenCode, [...work, title, next]).slice(-2)).toEqual(['second', 'three'])
  })

  test('after a compaction is its summary, what it repeats, and what it put in', () => {
    const kept = [
      said('user', { text: 'Recently accessed file (embedded): /a' }),
      said('model', call('c1')),
      said('user', response('c1', 'a long text')),
      said('user', { text: '<system-reminder>now</system-reminder>' }, { text: 'two' }),
    ]
    const records = chain(...work, compaction(snapshot, noted, ...kept), user('three'))
    expect(seen(qwenCode, records)).toEqual([
      'summary: <state_snapshot>It did.',
      'Recently accessed file (embedded): /a',
      'tool-call',
      'a long text',
      '<system-reminder>now</system-reminder>',
      'two',
      'three',
    ])
  })

  test('holds what a compaction repeats and nobody said before, with whole pairs', () => {
    const kept = [said('model', call('x')), said('user', response('x', 'found'))]
    const records = chain(...work, compaction(snapshot, ...kept), user('three'))
    expect(seen(qwenCode, records)).toEqual([
      'summary: <state_snapshot>It did.',
      'tool-call',
      'found',
      'three',
    ])
    expect(draftsOf(qwenCode, records)[6]).toMatchObject({ metadata: { restored: true } })
  })

  test('says so where a compaction holds no summary', () => {
    const [summary] = seen(qwenCode, chain(...work, compaction()))
    expect(summary).toContain('no summary')
  })
})

test('a record that is written twice is read once, and the other is told', () => {
  const records = chain(user('Read.'), reply({ text: 'I did.' }))
  const twice = [...records, ...records.slice(-1)]
  expect(seen(qwenCode, twice)).toEqual(seen(qwenCode, records))
  expect(factsIn(qwenCode, twice).omitted).toEqual({ duplicate: 1 })
})
