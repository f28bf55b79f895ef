import { expect, test } from 'vitest'
import { draftsOf, logOf } from '../../testing/conformance/format-conformance.ts'
import { factsIn } from '../testing/outline.ts'
import { contextOf } from '../../log/context/context.ts'
import { partsOf } from '../../log/message.ts'
import { claudeCode } from './format.ts'

type Fields = Record<string, unknown>

function record(uuid: string, parentUuid: string | null, fields: Fields): Fields {
  return { uuid, parentUuid, ...fields }
}

function user(uuid: string, parent: string | null, content: unknown, fields: Fields = {}): Fields {
  return record(uuid, parent, { type: 'user', message: { content }, ...fields })
}

function reply(uuid: string, parent: string | null, text: string): Fields {
  const message = { id: `message ${uuid}`, content: [{ type: 'text', text }] }
  return record(uuid, parent, { type: 'assistant', message })
}

function call(uuid: string, parent: string | null): Fields {
  const content = [{ type: 'tool_use', id: `call ${uuid}`, name: 'Read', input: {} }]
  return record(uuid, parent, { type: 'assistant', message: { id: `message ${uuid}`, content } })
}

function result(uuid: string, parent: string, of: string, content: string): Fields {
  return user(uuid, parent, [{ type: 'tool_result', tool_use_id: `call ${of}`, content }])
}

function boundary(uuid: string, compactMetadata: Fields = {}): Fields {
  const metadata = { trigger: 'auto', preTokens: 156_611, ...compactMetadata }
  return record(uuid, null, {
    type: 'system',
    subtype: 'compact_boundary',
    compactMetadata: metadata,
  })
}

function summary(uuid: string, parent: string): Fields {
  return user(uuid, parent, 'This session is being continued.', { isCompactSummary: true })
}

/** What the model sees in the end. */
function seen(records: Fields[]): string[] {
  return contextOf(logOf(draftsOf(claudeCode, records))).items.map((item) => {
    if (item.type === 'summary') return `summary: ${item.summary}`
    if (item.type !== 'message') return item.type
    return partsOf(item.message)
      .map((part) => {
        if (part.type === 'text') return part.text
        return part.type === 'tool-result' && 'value' in part.output
          ? String(part.output.value)
          : part.type
      })
      .join(' | ')
  })
}

const start = [
  user('u1', null, 'one'),
  reply('a1', 'u1', 'first'),
  record('s1', 'a1', { type: 'system', subtype: 'turn_duration' }),
]

test('a prompt that was taken back is not what the model sees', () => {
  const records = [...start, user('u2', 's1', 'two'), user('u3', 's1', 'two, better')]
  expect(seen(records)).toEqual(['one', 'first', 'two, better'])
  expect(draftsOf(claudeCode, records)).toContainEqual({ kind: 'rewind', at: 0, to: 2 })
})

test('going back may go far, to the very beginning, and forth again', () => {
  const long = [...start, user('u2', 's1', 'two'), reply('a2', 'u2', 'second')]
  expect(seen([...long, user('u3', 's1', 'other')])).toEqual(['one', 'first', 'other'])
  expect(seen([...long, user('u3', null, 'anew'), reply('a3', 'u3', 'yes')])).toEqual([
    'anew',
    'yes',
  ])
  const forth = [...long, user('u3', 's1', 'other'), user('u4', 'a2', 'three')]
  expect(seen(forth)).toEqual(['one', 'first', 'two', 'second', 'three'])
})

test('results of one step may have parents of any age in it', () => {
  const both = { type: 'tool_use', name: 'Read', input: {} }
  const step = (uuid: string, parent: string): Fields =>
    record(uuid, parent, {
      type: 'assistant',
      message: { id: 'm', content: [{ ...both, id: `call ${uuid}` }] },
    })
  const records = [
    ...start,
    user('u2', 's1', 'two'),
    step('c1', 'u2'),
    step('c2', 'c1'),
    result('r2', 'c2', 'c2', 'second'),
    result('r1', 'c1', 'c1', 'first'),
    record('p1', 'c1', { type: 'progress', data: { type: 'bash_progress' } }),
    user('h1', 'r1', 'a reminder', { isMeta: true }),
    reply('a2', 'h1', 'done'),
  ]
  const drafts = draftsOf(claudeCode, records)
  expect(drafts.filter(({ kind }) => kind === 'rewind')).toEqual([])
})

test('a compaction is a checkpoint: only its summary and what follows is seen', () => {
  const records = [
    ...start,
    boundary('b1'),
    summary('s2', 'b1'),
    reply('a2', 's2', 'going on'),
    user('u2', 'a2', 'good'),
  ]
  expect(seen(records)).toEqual(['summary: This session is being continued.', 'going on', 'good'])
  expect(draftsOf(claudeCode, records)[2]).toMatchObject({
    kind: 'checkpoint',
    base: 2,
    summarizer: 'claude-code',
    tail: [],
    continuation: null,
    metadata: { trigger: 'auto', preTokens: 156_611 },
  })
})

test('a summary without its boundary is a checkpoint too, and so is a boundary without its summary', () => {
  expect(seen([...start, summary('s2', 's1'), reply('a2', 's2', 'on')])).toEqual([
    'summary: This session is being continued.',
    'on',
  ])
  const [first, next] = seen([...start, boundary('b1'), reply('a2', 'b1', 'on')])
  expect(first).toContain('contains no summary')
  expect(next).toBe('on')
})

test.each([
  ['a segment', { preservedSegment: { headUuid: 'u2', anchorUuid: 's2', tailUuid: 'r2' } }],
  [
    'a list',
    { preservedMessages: { anchorUuid: 's2', uuids: ['u2'], allUuids: ['u2', 'c2', 'r2'] } },
  ],
])('what a compaction kept, named as %s, is its tail, whole steps of it', (_, metadata) => {
  const records = [
    ...start,
    user('u2', 's1', 'two'),
    call('c2', 'u2'),
    result('r2', 'c2', 'c2', 'read'),
    boundary('b1', metadata),
    summary('s2', 'b1'),
    reply('a3', 'r2', 'going on'),
  ]
  expect(seen(records)).toEqual([
    'summary: This session is being continued.',
    'two',
    'tool-call',
    'read',
    'going on',
  ])
})

test('a kept uuid that the file does not hold keeps nothing', () => {
  const preservedMessages = { uuids: ['gone', 7, null] }
  const records = [...start, boundary('b1', { preservedMessages }), summary('s2', 'b1')]
  expect(seen(records)).toEqual(['summary: This session is being continued.'])
})

test('files that are read again after a compaction follow its summary', () => {
  const attachment = { type: 'nested_memory', path: '/CLAUDE.md', content: { content: 'rules' } }
  const held = record('f1', 'b1', { type: 'attachment', attachment })
  const wanted = ['summary: This session is being continued.', 'Contents of /CLAUDE.md:\nrules']
  expect(seen([...start, boundary('b1'), held, summary('s2', 'f1')])).toEqual(wanted)
  expect(seen([...start, boundary('b1'), summary('s2', 'b1'), held])).toEqual(wanted)
})

test('a micro-compaction puts placeholders in place of the results it names', () => {
  const microcompactMetadata = { trigger: 'auto', compactedToolIds: ['call c1', 'call gone', 3] }
  const records = [
    ...start,
    call('c1', 's1'),
    result('r1', 'c1', 'c1', 'grüße'),
    call('c2', 'r1'),
    result('r2', 'c2', 'c2', 'kept'),
    record('m1', 'r2', { type: 'system', subtype: 'microcompact_boundary', microcompactMetadata }),
  ]
  expect(seen(records)).toEqual([
    'one',
    'first',
    'tool-call',
    '<tool-output-compacted tool="Read" bytes="7" ref="4.0" />',
    'tool-call',
    'kept',
  ])
  expect(draftsOf(claudeCode, records).at(-1)).toMatchObject({
    kind: 'prune',
    base: 6,
    metadata: { trigger: 'auto', time: { compacted: 0 } },
  })
})

test('records whose parents form a circle are all read, in the order of the file', () => {
  const circle = [user('u1', 'a2', 'one'), reply('a1', 'u1', 'first'), user('u2', 'a1', 'two')]
  expect(seen([...circle, reply('a2', 'u2', 'second')])).toEqual(['one', 'first', 'two', 'second'])
})

test('a record whose parent is not in the file follows the newest one', () => {
  const records = [...start, user('u2', 'torn', 'two'), reply('a2', 'u2', 'second')]
  expect(seen(records)).toEqual(['one', 'first', 'two', 'second'])
  expect(draftsOf(claudeCode, records).some(({ kind }) => kind === 'rewind')).toBe(false)
})

test('records that share an id are read once, and the others are told', () => {
  const records = [user('u1', null, 'one'), reply('u1', null, 'first'), user('u1', null, 'two')]
  expect(seen(records)).toEqual(['one'])
  expect(factsIn(claudeCode, records).omitted).toEqual({ duplicate: 2 })
})
