import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bodySpans, valueAt } from './spans.ts'
import { madeOf, splicedBody } from './spliced.ts'

const message = fc.record({ role: fc.string(), content: fc.jsonValue() })
const body = fc.record({
  model: fc.string(),
  'me"ss\\ages': fc.jsonValue(),
  messages: fc.array(message),
  stream: fc.boolean(),
  n: fc.double({ noNaN: true, noDefaultInfinity: true }),
})

describe('the spans of a body', () => {
  it('are none where it would keep whoever reads it busy: nested without end, or of a million elements', () => {
    const deep = (depth: number) =>
      Buffer.from(`{"messages":[${'['.repeat(depth)}${']'.repeat(depth)}]}`)
    expect(bodySpans(deep(100), 'messages')).toBeDefined()
    expect(bodySpans(deep(1_000), 'messages')).toBeUndefined()
    const many = (count: number) =>
      Buffer.from(`{"messages":[${Array(count).fill('1').join(',')}]}`)
    expect(bodySpans(many(10_000), 'messages')).toBeDefined()
    expect(bodySpans(many(100_000), 'messages')).toBeUndefined()
    // Of one element as of all of them, and of fields beside.
    const wide = (count: number, field = 'messages') =>
      Buffer.from(`{"${field}":[[${Array(count).fill('1').join(',')}]],"messages":[]}`.replace(field === 'messages' ? ',"messages":[]' : '', '')) // prettier-ignore
    expect(bodySpans(wide(100_000), 'messages')).toBeDefined()
    for (const name of ['messages', 'tools']) {
      expect(bodySpans(wide(1_000_000, name), 'messages')).toBeUndefined()
    }
    const long = (bytes: number) => Buffer.from(`{"messages":["${'a'.repeat(bytes)}"]}`)
    expect(bodySpans(long(15 * 1_048_576), 'messages')).toBeDefined()
    expect(bodySpans(long(17 * 1_048_576), 'messages')).toBeUndefined()
    const field = Buffer.from(`{"tools":${'['.repeat(1_000)}${']'.repeat(1_000)},"messages":[]}`)
    expect(bodySpans(field, 'messages')).toBeUndefined()
  })

  it('hold what JSON.parse reads there, however it is written', () => {
    fc.assert(
      fc.property(body, fc.constantFrom(undefined, 1, 3, '\t'), (value, space) => {
        const bytes = Buffer.from(JSON.stringify(value, undefined, space))
        const spans = bodySpans(bytes, 'messages')
        const same = JSON.parse(bytes.toString()) as typeof value
        expect(spans?.elements.map((span) => valueAt(bytes, span))).toEqual(same.messages)
        for (const [name, span] of spans?.fields ?? []) {
          expect(valueAt(bytes, span)).toEqual(same[name as keyof typeof same])
        }
      }),
    )
  })

  it('let a list be changed without a byte of anything else', () => {
    fc.assert(
      fc.property(body, fc.integer({ min: 1, max: 4 }), (value, space) => {
        const bytes = Buffer.from(JSON.stringify(value, undefined, space))
        const spans = bodySpans(bytes, 'messages')
        if (!spans) throw new Error('no spans')
        const kept = spans.elements.slice(1)
        const elements = [madeOf({ role: 'new' }), ...kept.map((own) => ({ own }))]
        const made = splicedBody(bytes, spans, 'messages', elements)
        const expected = { ...value, messages: [{ role: 'new' }, ...value.messages.slice(1)] }
        expect(JSON.parse(made.toString())).toEqual(JSON.parse(JSON.stringify(expected)))
        const { start, end } = spans.fields.get('messages') ?? { start: 0, end: 0 }
        expect(made.subarray(0, start)).toEqual(bytes.subarray(0, start))
        expect(made.subarray(made.length - (bytes.length - end))).toEqual(bytes.subarray(end))
        for (const own of kept) expect(made.includes(bytes.subarray(own.start, own.end))).toBe(true)
      }),
    )
  })

  it('let any elements go, and none of the others', () => {
    const list = fc.array(message, { maxLength: 8 })
    fc.assert(
      fc.property(
        list,
        fc.infiniteStream(fc.boolean()),
        fc.constantFrom(0, 1),
        (all, keeps, space) => {
          const bytes = Buffer.from(JSON.stringify({ messages: all, n: 1 }, undefined, space))
          const spans = bodySpans(bytes, 'messages')
          if (!spans) throw new Error('no spans')
          const kept = spans.elements.map((own) => ({ own, isKept: keeps.next().value === true }))
          const elements = kept.filter(({ isKept }) => isKept).map(({ own }) => ({ own }))
          const made = JSON.parse(
            splicedBody(bytes, spans, 'messages', elements).toString(),
          ) as object
          const messages = all.filter((_, index) => kept[index]?.isKept)
          expect(made).toEqual(JSON.parse(JSON.stringify({ messages, n: 1 })))
        },
      ),
    )
  })

  it.each([
    ['a field named twice', '{"messages":[],"messages":[1]}'],
    ['the same field, once in other letters', '{"messages":[],"mess\\u0061ges":[1]}'],
    ['something behind the object', '{"messages":[]}{}'],
    ['a list that does not end', '{"messages":[1,2'],
    ['a list without commas', '{"messages":[1 2]}'],
    ['a comma at the end of a list', '{"messages":[1,]}'],
    ['a list', '[]'],
    ['no list', '{"messages":"hi"}'],
    ['nothing', ''],
  ])('are none for %s', (_, text) => {
    expect(bodySpans(Buffer.from(text), 'messages')).toBeUndefined()
  })

  it('are found in time that grows with the bytes', () => {
    const slashes = Buffer.from(`{"messages":["${'\\\\'.repeat(1_000_000)}"]}`)
    expect(bodySpans(slashes, 'messages')?.elements).toHaveLength(1)
    const quotes = Buffer.from(`{"messages":["${'\\"'.repeat(1_000_000)}"]}`)
    expect(bodySpans(quotes, 'messages')?.elements).toHaveLength(1)
  })
})
