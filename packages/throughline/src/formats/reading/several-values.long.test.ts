import { expect, test } from 'vitest'
import * as fc from 'fast-check'
import { expectLinear } from '../../testing/growth.ts'
import { severalValues } from './json-lines.ts'

test('two objects on one line are both read', () => {
  expect(severalValues('{"a":1}{"b":"}{"}')).toEqual({
    records: [{ a: 1 }, { b: '}{' }],
    reason: 'two objects on one line; both read',
  })
})

test('the record behind a torn one is read, wherever it was torn', () => {
  const torn = '{"type":"user","text":"say \\"{\\" and","list":[{"x":1},{"y":'
  const whole = '{"type":"assistant","text":"a \\\\ {b} \\""}'
  for (let length = 1; length < torn.length; length++) {
    const { records, reason } = severalValues(torn.slice(0, length) + whole)
    expect(records.at(-1)).toEqual(JSON.parse(whole))
    expect(reason).toContain('torn at column 1')
  }
})

test('the record in front of a torn one is read', () => {
  expect(severalValues('{"a":1}{"b":')).toEqual({
    records: [{ a: 1 }],
    reason: 'torn at column 8; one object read',
  })
})

test.each(['{"a":', 'text', '[1]', '}', '"', '{"a":1x}', '12', '{'])(
  'nothing is read of %j',
  (line) => {
    expect(severalValues(line).records).toEqual([])
  },
)

test('objects one behind the other are all read, in order', () => {
  const object = fc.record({ key: fc.string(), value: fc.json() })
  fc.assert(
    fc.property(fc.array(object, { minLength: 2, maxLength: 5 }), fc.nat(3), (objects, gap) => {
      const line = objects.map((value) => JSON.stringify(value)).join(' '.repeat(gap))
      expect(severalValues(line).records).toEqual(objects)
    }),
  )
})

test('any text is taken apart without an error, in work that grows with its length alone', async () => {
  fc.assert(fc.property(fc.string(), (line) => void severalValues(line)))
  for (const piece of ['{', '{"', '}{', '\\"', '{"a":"', '"{}']) {
    const taking = (times: number) => () => severalValues(piece.repeat(times))
    await expectLinear(taking, { small: 100_000, large: 1_000_000 }, piece)
  }
})
