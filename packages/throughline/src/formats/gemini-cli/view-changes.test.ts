import { expect, test } from 'vitest'
import { draftsOf } from '../../testing/conformance/format-conformance.ts'
import { seen } from '../testing/seen.ts'
import { geminiCli } from './format.ts'

type Fields = Record<string, unknown>

const header = { sessionId: 's', projectHash: 'f' }

function user(id: string, content: unknown): Fields {
  return { id, type: 'user', content }
}

function reply(id: string, content: string): Fields {
  return { id, type: 'gemini', content }
}

function read(id: string, output: string): Fields {
  const result = [{ functionResponse: { id: `call ${id}`, response: { output } } }]
  return { ...reply(id, ''), toolCalls: [{ id: `call ${id}`, name: 'read_file', result }] }
}

const messages = [
  user('m1', 'one'),
  read('m2', 'a long text'),
  reply('m3', 'first'),
  user('m4', 'two'),
  reply('m5', 'second'),
]
const work = [header, ...messages]
const written = (...history: unknown[]): Fields => ({ $set: { messages: history } })

test('going back takes a message and all behind it out of the view', () => {
  expect(seen(geminiCli, [...work, { $rewindTo: 'm4' }, user('m6', 'else')])).toEqual([
    'one',
    'tool-call',
    'a long text',
    'first',
    'else',
  ])
  expect(seen(geminiCli, [...work, { $rewindTo: 'm4' }, user('m4', 'two again')]).at(-1)).toBe(
    'two again',
  )
  expect(seen(geminiCli, [...work, { $rewindTo: 'gone' }, user('m6', 'anew')])).toEqual(['anew'])
})

test('a history that stands new in front and old behind is a compaction', () => {
  const snapshot = [user('n1', '<state_snapshot>It did.'), reply('n2', 'Got it.')]
  const records = [...work, written(...snapshot, ...messages.slice(3)), user('m6', 'three')]
  expect(seen(geminiCli, records)).toEqual([
    'summary: <state_snapshot>It did.',
    'two',
    'second',
    'three',
  ])
  expect(draftsOf(geminiCli, records)[6]).toMatchObject({
    kind: 'checkpoint',
    base: 6,
    summarizer: 'gemini-cli',
    continuation: null,
  })
})

test('a history without what came first, and without a summary, says so', () => {
  const [summary, ...rest] = seen(geminiCli, [...work, written(...messages.slice(3))])
  expect(summary).toContain('no summary')
  expect(rest).toEqual(['two', 'second'])
})

test('what stands new among the old is given where it stands, marked as restored', () => {
  const history = [user('n1', 'Sum.'), messages[3], user('n2', 'between'), messages[4]]
  const records = [...work, written(...history)]
  expect(seen(geminiCli, records)).toEqual(['summary: Sum.', 'two', 'between', 'second'])
  expect(draftsOf(geminiCli, records)[6]).toMatchObject({ metadata: { restored: true } })
})

test('outputs that were masked are a prune', () => {
  const records = [...work, written(...messages.with(1, read('m2', 'masked')))]
  expect(seen(geminiCli, records)[2]).toBe('masked')
  expect(draftsOf(geminiCli, records)[6]).toMatchObject({
    kind: 'prune',
    base: 6,
    replacements: [{ how: 'clipped', ref: '3.0', text: 'masked' }],
  })
})

test('outputs that were masked stay so in what a compaction keeps', () => {
  const history = [user('n1', 'Sum.'), read('m2', 'masked'), messages[4]]
  const wanted = ['summary: Sum.', 'tool-call', 'masked', 'second']
  expect(seen(geminiCli, [...work, written(...history)])).toEqual(wanted)
  const before = written(...messages.with(1, read('m2', 'masked')))
  expect(seen(geminiCli, [...work, before, written(...history)])).toEqual(wanted)
})

test('a history that is written as it is changes nothing', () => {
  const drafts = draftsOf(geminiCli, work)
  expect(draftsOf(geminiCli, [...work, written(...messages), written()])).toEqual(drafts)
})

test('a history that is written first is the session', () => {
  expect(seen(geminiCli, [header, written(...messages)])).toEqual(seen(geminiCli, work))
})
