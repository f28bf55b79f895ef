import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../testing/generate/runs.ts'
import { UnstorableValueError } from './errors.ts'
import { decodeEntry, encodeEntry, readBack } from './payload.ts'
import type { Entry, EntryDraft } from '../../log/entry.ts'

const awkwardText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\ud800', '\udfff\ud800', 'a\0b', '\u2028', '"$throughline"', '\\"', '{"', ''),
)

const awkwardName = fc.oneof(
  awkwardText,
  fc.constantFrom('$throughline', '__proto__', 'constructor', 'seq', 'kind', 'length', '0'),
)

const leaf = fc.oneof(
  awkwardText,
  fc.double(),
  fc.constantFrom(-0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
  fc.bigInt(),
  fc.boolean(),
  fc.constant(null),
  fc.uint8Array(),
  fc.uint8Array().map((bytes) => bytes.slice().buffer),
  fc.date({ noInvalidDate: false }),
  fc.webUrl().map((url) => new URL(url)),
  fc.constantFrom(['bytes', '='], ['undefined'], ['object', null]),
)

const { value: anything } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(fc.oneof(tie('value'), fc.constant(undefined)), { maxLength: 4 }),
    fc
      .array(fc.tuple(awkwardName, tie('value')), { maxLength: 4 })
      .map((fields) => Object.fromEntries(fields)),
  ),
}))

function note(data: unknown): EntryDraft {
  return { kind: 'observation', at: 1, observation: { type: 'note', name: 'a', data } }
}

/** What is read of a value that was stored. */
function stored(data: unknown): unknown {
  const entry = decodeEntry(encodeEntry(note(data)), 7)
  expect(entry.seq).toBe(7)
  if (entry.kind !== 'observation' || entry.observation.type !== 'note')
    throw new Error('unreachable')
  return entry.observation.data
}

/** All of a value, and of what type it is, as a text. */
function shown(data: unknown): string {
  return inspect(data, { depth: null, maxArrayLength: null, maxStringLength: null })
}

/** The value and all objects in it. */
function objectsIn(value: unknown, found = new Set<unknown>()): Set<unknown> {
  if (typeof value !== 'object' || value === null) return found
  found.add(value)
  for (const field of Object.values(value)) objectsIn(field, found)
  return found
}

function nested(depth: number): unknown {
  let value: unknown = 'deepest'
  for (let level = 0; level < depth; level++) value = level % 2 ? { value } : [value]
  return value
}

describe('an entry as it is stored', () => {
  it('comes back as it was, whatever it holds', () => {
    fc.assert(
      fc.property(anything, (data) => {
        expect(shown(stored(data))).toBe(shown(data))
      }),
      runs(500),
    )
  })

  it('is a text that SQLite and UTF-8 keep whole', () => {
    fc.assert(
      fc.property(anything, (data) => {
        const text = encodeEntry(note(data))
        expect(text).not.toContain('\0')
        expect(text.isWellFormed()).toBe(true)
      }),
      runs(200),
    )
  })

  it('keeps bytes of a part of a buffer, and of a Buffer', () => {
    const whole = new Uint8Array([1, 2, 3, 4, 5])
    expect(stored(whole.subarray(1, 3))).toStrictEqual(new Uint8Array([2, 3]))
    expect(stored(Buffer.from('abc'))).toStrictEqual(new TextEncoder().encode('abc'))
  })

  it('keeps a time that is none', () => {
    const time = stored(new Date(Number.NaN))
    expect(time).toBeInstanceOf(Date)
    expect(Number(time)).toBeNaN()
  })

  it('keeps what an object says of itself as JSON, as JSON would', () => {
    expect(stored({ price: { toJSON: () => '1.50' } })).toEqual({ price: '1.50' })
    expect(stored({ toJSON: 'a text' })).toEqual({ toJSON: 'a text' })
  })

  it('keeps an instance of a class by its fields, and leaves out fields that are undefined', () => {
    class Point {
      x = 1
      y = undefined
    }
    expect(stored(new Point())).toStrictEqual({ x: 1 })
    expect(stored({ x: 1, y: undefined })).toStrictEqual({ x: 1 })
  })

  it('changes no prototype, whatever a field is called', () => {
    const field = JSON.parse('{"__proto__": {"admin": true}, "n": {"$throughline": ["bytes", ""]}}')
    const back = stored({ field, other: 1n }) as { field: { admin?: boolean } }
    expect(back.field.admin).toBeUndefined()
    expect(Object.getOwnPropertyNames(back.field)).toEqual(['__proto__', 'n'])
    expect(back.field).toStrictEqual(field)
  })

  it.each([
    ['a function', () => 1],
    ['a symbol', Symbol('a')],
    ['a value of the type Map', new Map([[1, 2]])],
    ['a value of the type Set', new Set([1])],
    ['a value of the type RegExp', /a/],
    ['a value of the type Error', new Error('a')],
    ['a value of the type Promise', Promise.resolve()],
    ['a value of the type Float64Array', new Float64Array(2)],
    ['a value of the type String', Object('a')],
    ['a value of the type Blob', new Blob(['a'])],
  ])('does not become something else: %s is refused', (what, value) => {
    for (const data of [value, [value], { deep: [{ value }] }, { n: 1n, value }]) {
      const refused = expect(() => encodeEntry(note(data)))
      refused.toThrow(UnstorableValueError)
      refused.toThrow(`An entry contains ${what}, which a store cannot save.`)
    }
  })

  it('may be nested deeply, and is refused where it is nested more deeply or in a circle', () => {
    const circle: unknown[] = []
    circle.push({ circle })
    const selfish = { toJSON: () => selfish }
    expect(stored(nested(490))).toStrictEqual(nested(490))
    for (const data of [nested(500), nested(1e6), circle, selfish, [1n, nested(1e6)]]) {
      expect(() => encodeEntry(note(data))).toThrow('a value nested more than 500 levels deep')
    }
  })

  it('is answered as it will be read, and shares nothing with what was given', () => {
    const optional = fc.record({ field: fc.option(anything, { nil: undefined }) })
    fc.assert(
      fc.property(fc.oneof(anything, optional), (data) => {
        const draft = note(data)
        const text = encodeEntry(draft)
        const answer = readBack(draft, text, 7)
        expect(shown(answer)).toBe(shown(decodeEntry(text, 7)))
        const given = objectsIn(draft)
        expect([...objectsIn(answer)].filter((object) => given.has(object))).toEqual([])
      }),
      runs(500),
    )
  })

  it('says that a text is no entry', () => {
    for (const text of ['', '{', '1', 'null', '[]', '{"kind":1}', '{"kind":"message"}}']) {
      expect(() => decodeEntry(text, 1) as Entry).toThrow(Error)
    }
  })
})
