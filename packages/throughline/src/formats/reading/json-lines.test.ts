import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectLinear } from '../../testing/growth.ts'
import { readJsonLines } from './json-lines.ts'
import type { ByteSource } from './byte-lines.ts'
import type { Fields } from '../../json/fields.ts'
import type { SkippedLine } from '../format.ts'

async function read(source: ByteSource): Promise<{ records: Fields[]; skipped: SkippedLine[] }> {
  const records: Fields[] = []
  const skipped: SkippedLine[] = []
  const lines = readJsonLines(source, { onSkipped: (line) => skipped.push(line) })
  for await (const batch of lines) records.push(...batch)
  return { records, skipped }
}

function bytes(...parts: (string | number[])[]): Uint8Array {
  const encoder = new TextEncoder()
  return Uint8Array.from(
    parts.flatMap((part) => (typeof part === 'string' ? [...encoder.encode(part)] : part)),
  )
}

test('line ends, blank lines, a byte order mark and a missing last newline are all one', async () => {
  const wanted = { records: [{ a: 1 }, { b: 2 }], skipped: [] }
  expect(await read('{"a":1}\n{"b":2}\n')).toEqual(wanted)
  expect(await read('{"a":1}\r\n\r\n  \r\n{"b":2}')).toEqual(wanted)
  expect(await read(bytes([0xef, 0xbb, 0xbf], '{"a":1}\n\n{"b":2}'))).toEqual(wanted)
})

test('the same bytes give the same records, however they are cut into chunks', async () => {
  const text = '\ufeff{"a":"grüße 🤝"}\r\n\n{"b":[1,2]}{"c":3}\n{"torn\n{"d":"\\n"}'
  const all = new TextEncoder().encode(text)
  const whole = await read(all)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(all.length)), async (cuts) => {
      const places = [0, ...cuts.sort((one, other) => one - other), all.length]
      const chunks = places.slice(1).map((end, index) => all.subarray(places[index], end))
      expect(await read(chunks)).toEqual(whole)
    }),
  )
  expect(whole.records).toHaveLength(4)
})

test('a line that is not one whole object is reported, with what was read of it', async () => {
  const { records, skipped } = await read(
    '{"a":1}\n{"b":1}{"c":2}\n{"torn":\nplain\n[1]\n{"d":4}\n',
  )
  expect(records).toEqual([{ a: 1 }, { b: 1 }, { c: 2 }, { d: 4 }])
  expect(skipped).toEqual([
    { line: 2, reason: 'two objects on one line; both read', read: 2 },
    { line: 3, reason: 'torn: the line ends inside a JSON object', read: 0 },
    { line: 4, reason: 'not a JSON object', read: 0 },
    { line: 5, reason: 'not a JSON object', read: 0 },
  ])
})

test('a line with broken UTF-8 is read and reported', async () => {
  const { records, skipped } = await read(bytes('{"a":"x', [0xff], 'y"}\n{"b":2}'))
  expect(records).toEqual([{ a: 'x\ufffdy' }, { b: 2 }])
  expect(skipped).toEqual([
    { line: 1, reason: 'not valid UTF-8; the broken characters were replaced', read: 1 },
  ])
})

test('progress counts every byte', async () => {
  const counts: number[] = []
  const source = [bytes('{"a":'), bytes('1}\n')]
  for await (const _ of readJsonLines(source, { onProgress: (count) => counts.push(count) }));
  expect(counts).toEqual([5, 8])
})

test('one line of 50 MB is read whole, in work that grows with its length', async () => {
  const chunk = bytes('x'.repeat(65_536))
  function* source(length: number): Generator<Uint8Array> {
    yield bytes('{"text":"')
    for (let sent = 0; sent < length; sent += chunk.length) yield chunk
    yield bytes('"}\n{"after":1}')
  }
  await expectLinear((length) => () => read(source(length)), { small: 3e6, large: 48e6 })
  const { records, skipped } = await read(source(50e6))
  expect(skipped).toEqual([])
  expect(String(records[0]?.['text']).length).toBeGreaterThan(50e6 - 1)
  expect(records[1]).toEqual({ after: 1 })
})
