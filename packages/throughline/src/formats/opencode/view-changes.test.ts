import { expect, test } from 'vitest'
import { draftsOf } from '../../testing/conformance/format-conformance.ts'
import { seen } from '../testing/seen.ts'
import { opencode } from './format.ts'

type Fields = Record<string, unknown>

let created = 0

function message(id: string, role: string, parts: Fields[], fields: Fields = {}): Fields {
  return { info: { id, role, sessionID: 'ses_1', time: { created: ++created }, ...fields }, parts }
}

function asked(id: string, words: string): Fields {
  return message(id, 'user', [{ type: 'text', text: words }])
}

function said(id: string, words: string, fields: Fields = {}): Fields {
  return message(id, 'assistant', [{ type: 'text', text: words }], fields)
}

function read(id: string, call: string, time: Fields = {}): Fields {
  const state = { status: 'completed', input: {}, output: `${call} grüße`, time }
  return message(id, 'assistant', [{ type: 'tool', tool: 'read', callID: call, state }])
}

function marker(id: string, fields: Fields = {}): Fields {
  return message(id, 'user', [{ type: 'compaction', auto: true, messageID: id, ...fields }])
}

function summary(id: string, of: string, fields: Fields = {}): Fields {
  return said(id, `Summary ${id}.`, { parentID: of, summary: true, finish: 'stop', ...fields })
}

const goOn = (id: string): Fields => {
  const text = 'Continue if you have next steps, or stop and ask for clarification.'
  return message(id, 'user', [{ type: 'text', text, synthetic: true }])
}

const work = (): Fields[] => [
  asked('m1', 'one'),
  said('m2', 'first'),
  asked('m3', 'two'),
  said('m4', 'second'),
]

test('a compaction is a checkpoint with its continuation inside', () => {
  const records = [
    ...work(),
    marker('m5'),
    summary('m6', 'm5', { tokens: { input: 98_608 } }),
    goOn('m7'),
    said('m8', 'on'),
  ]
  expect(seen(opencode, records)).toEqual(['summary: Summary m6.', 'continuation: mid-task', 'on'])
  expect(draftsOf(opencode, records)[4]).toMatchObject({
    kind: 'checkpoint',
    base: 4,
    summarizer: 'opencode',
    tail: [],
    continuation: { kind: 'mid-task', metadata: { compaction_continue: true } },
    metadata: {
      trigger: 'auto',
      preTokens: 98_608,
      source: { records: ['m5', 'm6', 'm7'] },
    },
  })
})

test('a compaction that the human asked for continues nothing', () => {
  const records = [
    ...work(),
    marker('m5', { auto: false }),
    summary('m6', 'm5'),
    asked('m7', 'more'),
  ]
  expect(seen(opencode, records)).toEqual(['summary: Summary m6.', 'more'])
  expect(draftsOf(opencode, records)[4]).toMatchObject({
    continuation: null,
    metadata: { trigger: 'manual' },
  })
})

test('what was kept word for word is the tail, cleared outputs as placeholders', () => {
  const records = [
    ...work(),
    // It was cleared behind its own message and before the next one.
    read('m5', 'c1', { compacted: created + 1.5 }),
    marker('m6', { tail_start_id: 'm3' }),
    summary('m7', 'm6'),
  ]
  expect(seen(opencode, records)).toEqual([
    'summary: Summary m7.',
    'two',
    'second',
    'tool-call',
    '<tool-output-compacted tool="read" bytes="10" ref="6.0" />',
  ])
})

test('a tail that starts at a message that is not there is none', () => {
  const records = [...work(), marker('m5', { tail_start_id: 'gone' }), summary('m6', 'm5')]
  expect(seen(opencode, records)).toEqual(['summary: Summary m6.'])
})

test.each([
  ['failed', { error: { name: 'APIError' } }],
  ['was never finished', { finish: undefined }],
])('a compaction whose summary %s changed nothing', (_, fields) => {
  const records = [...work(), marker('m5'), summary('m6', 'm5', fields)]
  expect(seen(opencode, records).slice(0, 5)).toEqual([
    'one',
    'first',
    'two',
    'second',
    'What did we do so far?',
  ])
})

test('what was said while the summary was made stands behind it', () => {
  const records = [...work(), marker('m5'), asked('m6', 'wait'), summary('m7', 'm5')]
  expect(seen(opencode, records)).toEqual(['summary: Summary m7.', 'wait'])
})

test('an empty summary is said to be so', () => {
  const records = [...work(), marker('m5'), { ...summary('m6', 'm5'), parts: [] }]
  expect(seen(opencode, records)[0]).toContain('Its summary is empty')
})

test('a request that was too large is asked again, and is not said twice', () => {
  const again = message('m7', 'user', [
    { type: 'text', text: 'two' },
    { type: 'text', text: '[Attached image/png: a.png]' },
  ])
  const start = [...work().slice(0, 3), marker('m5', { overflow: true }), summary('m6', 'm5')]
  const [, , , checkpoint, ...rest] = draftsOf(opencode, [...start, again])
  expect(checkpoint).toMatchObject({
    continuation: { kind: 'media', of: 3, metadata: { had_media: true } },
  })
  expect(rest).toEqual([])
  expect(draftsOf(opencode, [...start, asked('m7', 'two')])[3]).toMatchObject({
    continuation: { kind: 'unanswered', of: 3 },
  })
  expect(draftsOf(opencode, [...start, asked('m7', 'other')])[3]).toMatchObject({
    continuation: null,
  })
})

test('outputs are cleared where it happened, as one prune', () => {
  const at = created
  const records = [
    asked('m1', 'one'),
    read('m2', 'c1', { compacted: at + 4.2 }),
    read('m3', 'c2', { compacted: at + 4.5 }),
    read('m4', 'c3'),
    asked('m5', 'two'),
  ]
  const drafts = draftsOf(opencode, records)
  expect(drafts.map(({ kind }) => kind)).toEqual([
    ...Array<string>(7).fill('message'),
    'prune',
    'message',
  ])
  expect(drafts[7]).toMatchObject({ base: 7, metadata: { time: { compacted: at + 4.5 } } })
  expect(seen(opencode, records)).toEqual([
    'one',
    'tool-call',
    '<tool-output-compacted tool="read" bytes="10" ref="3.0" />',
    'tool-call',
    '<tool-output-compacted tool="read" bytes="10" ref="5.0" />',
    'tool-call',
    'c3 grüße',
    'two',
  ])
})

test('a time that is before its output, or after all, clears it all the same', () => {
  const records = [read('m1', 'c1', { compacted: -1 }), read('m2', 'c2', { compacted: 1e15 })]
  expect(seen(opencode, records).filter((line) => line.startsWith('<tool-output'))).toHaveLength(2)
})

test('what the human took back is not what the model sees', () => {
  const info = { id: 'ses_1', revert: { messageID: 'm3' } }
  expect(seen(opencode, [{ info, messages: work() }])).toEqual(['one', 'first'])
  expect(
    seen(opencode, [{ info: { ...info, revert: { messageID: 'x' } }, messages: work() }]),
  ).toHaveLength(4)
})
