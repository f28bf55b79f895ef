import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { EmptySessionError, UnknownSessionError } from './errors.ts'
import { streamSession, readSession } from './read-session.ts'
import { historyOf } from '../../log/history.ts'
import { ThroughlineError } from '../../log/throughline-error.ts'

const said = { type: 'user', uuid: 'u1', parentUuid: null, message: { content: 'Go.' } }
const reply = { type: 'assistant', uuid: 'u2', message: { id: 'm', content: 'Done.' } }
const rollout = {
  type: 'response_item',
  payload: { type: 'message', role: 'user', content: 'Go.' },
}

function lines(...records: unknown[]): string {
  return records.map((record) => JSON.stringify(record)).join('\n')
}

test('a session is read whole, its entries numbered from 1', async () => {
  const { format, log, facts, skipped } = await readSession(lines({ ...said, cwd: '/a' }, reply))
  expect(format).toBe('claude-code')
  expect(log.map(({ seq, kind }) => [seq, kind])).toEqual([
    [1, 'message'],
    [2, 'message'],
  ])
  expect(historyOf(log).entries).toHaveLength(2)
  expect(facts).toEqual({ directory: '/a' })
  expect(skipped).toEqual([])
})

test('the format is told by content', async () => {
  expect((await readSession(lines(rollout))).format).toBe('codex')
  expect((await readSession(lines({ type: 'x' }, {}, said))).format).toBe('claude-code')
})

test.each(['utf16le', 'utf16be'])('a file that Windows wrote in %s is read', async (encoding) => {
  const greeting = { ...said, message: { content: 'Grüße, 日本 🚀' } }
  const bytes = Buffer.from(`\ufeff${lines(greeting, reply)}\n`, 'utf16le')
  if (encoding === 'utf16be') bytes.swap16()
  const { log } = await readSession([...bytes].map((byte) => new Uint8Array([byte])))
  expect(log).toMatchObject([{ message: { content: 'Grüße, 日本 🚀' } }, { kind: 'message' }])
})

test('a session streams as it comes, and may be left early', async () => {
  let closed = false
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield new TextEncoder().encode(`${lines(said, { ...said, uuid: Math.random() })}\n`)
    } finally {
      closed = true
    }
  }
  const session = await streamSession(source())
  for await (const draft of session.drafts) {
    expect(draft).toMatchObject({ kind: 'message', origin: 'human' })
    break
  }
  expect(closed).toBe(true)
})

test('lines that are no whole record are reported once, those before the format is known too', async () => {
  const seen: number[] = []
  const text = `{"torn\n${lines(said)}\nnonsense\n${lines(reply)}${lines(reply)}`
  const read = await readSession(text, { onSkipped: ({ line }) => seen.push(line) })
  expect(seen).toEqual([1, 3, 4])
  expect(read.skipped.map(({ line, read }) => [line, read])).toEqual([
    [1, 0],
    [3, 0],
    [4, 2],
  ])
  expect(read.skippedCount).toBe(3)
})

test.each([
  ['before the first line', '', `${lines(said)}\n${lines(reply)}`],
  ['between two lines', `${lines(said)}\n`, lines(reply)],
  ['behind the last line', `${lines(said)}\n${lines(reply)}\n`, ''],
])('a hole that a crash left %s is a damaged line', async (_, before, after) => {
  const { log, skippedCount } = await readSession(`${before}${'\0'.repeat(999)}${after}`)
  expect(log).toEqual((await readSession(`${lines(said)}\n${lines(reply)}`)).log)
  expect(skippedCount).toBe(1)
})

test('what the source throws is passed on', async () => {
  async function* source(): AsyncGenerator<string> {
    yield `${lines(said)}\n`
    throw new RangeError('disk gone')
  }
  await expect(readSession(source())).rejects.toThrow('disk gone')
})

test.each(['', '\n\n  \n', []])('an empty session is called empty: %j', async (source) => {
  await expect(readSession(source)).rejects.toBeInstanceOf(EmptySessionError)
})

const pretty = JSON.stringify({ info: { id: 'x' }, messages: [1, 2] }, null, 2)

test.each([
  ['plain text', 'Dear diary,\ntoday', 'line 1 contains text that is not JSON'],
  ['a JSON document', pretty, 'line 1 contains a JSON object with the keys "info", "messages"'],
  ['a JSON document with an end too many', `${pretty}\n}`, 'a JSON document that spans'],
  ['a JSON list', '[{"id":1}]', 'line 1 contains a JSON object with the keys "id"'],
  ['a JSON list of numbers', '[\n  1\n]', 'line 1 contains a JSON array, or the start of one'],
  ['a torn record', '{"type":"user","mess', 'line 1 contains a JSON object that does not end'],
  [
    'records of another kind',
    lines({ id: 1, kind: '\u001b[31m' }, {}),
    'line 1 contains a JSON object with the keys "id", "kind"',
  ],
  ['an empty object', '{}', 'line 1 contains an empty JSON object'],
  ['compressed data', gzipSync(lines(said)), 'line 1 contains gzip-compressed data'],
  ['binary data', new Uint8Array([1, 2, 0, 3]), 'line 1 contains binary data'],
])('%s is no session, and the error says so', async (_, source, message) => {
  const error: unknown = await readSession(source).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(UnknownSessionError)
  expect(ThroughlineError.isInstance(error) && error.code).toBe('SESSION_UNKNOWN')
  expect(String(error)).toContain(message)
  expect(String(error)).toMatch(/docs\/formats\.md lists all \d+ formats\.$/)
  expect(String(error).length).toBeLessThan(400)
  expect(String(error)).not.toMatch(/\p{Cc}/u)
})

test('a file without end that is no session is given up, not read on', async () => {
  let pieces = 0
  function* source(): Generator<string> {
    for (;;) {
      if (++pieces > 1000) throw new Error('still reading')
      yield 'one line\nand another\n'
    }
  }
  await expect(readSession(source())).rejects.toBeInstanceOf(UnknownSessionError)
})
