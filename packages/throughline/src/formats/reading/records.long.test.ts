import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readRecords } from './records.ts'
import type { ByteSource } from './byte-lines.ts'
import type { Fields } from '../../json/fields.ts'
import type { SkippedLine } from '../format.ts'

async function read(source: ByteSource): Promise<{ records: Fields[]; skipped: SkippedLine[] }> {
  const records: Fields[] = []
  const skipped: SkippedLine[] = []
  const batches = readRecords(source, { onSkipped: (line) => skipped.push(line) })
  for await (const batch of batches) for (const record of batch) records.push(record)
  return { records, skipped }
}

const session = { info: { id: 'x' }, messages: [{ a: 'say "{[" \n' }, { b: [1, 2] }, { c: 3 }] }
const pretty = JSON.stringify(session, null, 2)

describe('a JSON document', () => {
  test.each([
    ['over several lines', pretty],
    ['on one line', JSON.stringify(session)],
    ['behind blank lines and a byte order mark', `\ufeff\n\n ${pretty}\n`],
    ['with Windows line ends', pretty.replaceAll('\n', '\r\n')],
  ])('%s is one record', async (_, text) => {
    expect(await read(text)).toEqual({ records: [session], skipped: [] })
  })

  test.each([0, 2])('that is a list gives its objects, indented by %i', async (indent) => {
    const text = JSON.stringify(session.messages, null, indent)
    expect(await read(text)).toEqual({ records: session.messages, skipped: [] })
  })

  test('that is a list of other things too says which they are', async () => {
    const { records, skipped } = await read('[{"a":1},\n2,[3],\n{"b":1}]')
    expect(records).toEqual([{ a: 1 }, { b: 1 }])
    expect(skipped).toEqual([
      { line: 1, reason: 'items 2, 3 of the list are not JSON objects', read: 2 },
    ])
  })

  test.each([0, 2])(
    'whose messages are not all objects says which, indented by %i',
    async (indent) => {
      const damaged = { ...session, messages: [...session.messages, 7, null] }
      const { records, skipped } = await read(JSON.stringify(damaged, null, indent))
      expect(records).toEqual([damaged])
      const reason = 'items 4, 5 of its messages are not JSON objects'
      expect(skipped).toEqual([{ line: 1, reason, read: 1 }])
    },
  )

  test('that holds broken UTF-8 is read and reported', async () => {
    const bytes = Buffer.from(pretty.replace('say', '\u0001ay'))
    bytes[bytes.indexOf(1)] = 0xff
    const { records, skipped } = await read(bytes)
    expect(records).toHaveLength(1)
    expect(skipped).toMatchObject([{ line: 1, read: 1 }])
  })

  test('that is cut off is read as far as its items are whole, wherever it was cut', async () => {
    const whole = session.messages.map((message) => JSON.stringify(message))
    for (let length = pretty.indexOf('}', 30) + 1; length < pretty.length - 4; length++) {
      const { records, skipped } = await read(pretty.slice(0, length))
      if (records.length === 0) continue
      const [record] = records as [typeof session]
      expect(record.info).toEqual(session.info)
      expect(whole.slice(0, record.messages.length)).toEqual(
        record.messages.map((message) => JSON.stringify(message)),
      )
      expect(skipped).toMatchObject([{ reason: expect.stringContaining('truncated') }])
    }
    const { records, skipped } = await read(pretty.slice(0, pretty.indexOf('"c"')))
    expect(records).toEqual([{ ...session, messages: session.messages.slice(0, 2) }])
    expect(skipped).toMatchObject([{ line: 14 }])
  })
})

describe('JSON Lines', () => {
  const lines = session.messages.map((message) => JSON.stringify(message)).join('\n')

  test.each([
    ['whole', lines, []],
    ['behind a record torn in a string', `{"torn\n${lines}`, [1]],
    ['behind a record torn between two fields', `{"torn":1,\n${lines}`, [1]],
    ['behind a line of a log', `[INFO] start\n${lines}`, [1]],
    ['behind a list', `[{"x":1}]\n${lines}`, [1]],
  ])('%s are read line by line', async (_, text, skippedLines) => {
    const { records, skipped } = await read(text)
    expect(records.slice(-3)).toEqual(session.messages)
    expect(skipped.map(({ line }) => line)).toEqual(skippedLines)
  })

  test('stream as they come', async () => {
    function* source(): Generator<string> {
      for (;;) yield `${lines}\n`
    }
    for await (const batch of readRecords(source())) {
      if (batch.length === 0) continue
      expect(batch).toEqual(session.messages)
      break
    }
  })
})

test('the same bytes give the same records, however they are cut into chunks', async () => {
  const texts = [pretty, `\n[\n${pretty}]`, `{"torn":\n${JSON.stringify(session)}\n{}`]
  for (const text of texts) {
    const all = new TextEncoder().encode(text)
    const whole = await read(all)
    expect(whole.records.length).toBeGreaterThan(0)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(all.length)), async (cuts) => {
        const places = [0, ...cuts.sort((one, other) => one - other), all.length]
        const chunks = places.slice(1).map((end, index) => all.subarray(places[index], end))
        expect(await read(chunks)).toEqual(whole)
      }),
    )
  }
})

test('any text is read to its end, and nothing is thrown', async () => {
  const piece = fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', '\n', '{"a":1}', 'x', '1')
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
      await read(pieces.join(''))
    }),
  )
})

test.each([
  ['nested without end', '\n['.repeat(200_000)],
  ['a document nested without end', `{"a":\n${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
  ['cut off in one long list', `[\n${'{"a":[{}]},'.repeat(200_000)}`],
])('a text that is %s does no harm', async (_, text) => {
  await read(text)
})
