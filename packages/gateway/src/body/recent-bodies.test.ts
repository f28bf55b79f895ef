import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { bodySpans, valueAt } from './spans.ts'
import { elementsOf, type BodyElements } from './elements.ts'
import { readBodySpans, RecentBodies } from './recent-bodies.ts'

// Of any length, so that what differs stands anywhere in a block that is compared.
const filler = fc.integer({ min: 0, max: 9_000 }).map((length) => 'x'.repeat(length))
const one = fc.oneof(
  fc.record({ role: fc.constantFrom('user', 'tool'), content: fc.jsonValue() }),
  fc.record({ role: fc.constant('user'), content: filler }),
  // No client sends these, but a body may hold them.
  fc.integer(),
  fc.string(),
)
const space = fc.constantFrom(undefined, 1, '\t')

function written(
  fields: readonly [string, unknown][],
  indent: string | number | undefined,
): string {
  const parts = fields.map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value, undefined, indent)}`,
  )
  return `{${parts.join(',')}}`
}

type Change = (text: string, at: number) => string

/** What can be done to the bytes of a request. */
const changes: readonly Change[] = [
  (text) => text,
  // A byte less, one more, and another one.
  (text, at) => text.slice(0, at) + text.slice(at + 1),
  (text, at) => `${text.slice(0, at)}"${text.slice(at)}`,
  (text, at) => `${text.slice(0, at)}\\${text.slice(at + 1)}`,
  (text, at) => `${text.slice(0, at)}7${text.slice(at + 1)}`,
  (text, at) => `${text.slice(0, at)}],"a":[${text.slice(at)}`,
  // Cut off anywhere, or with something behind it.
  (text, at) => text.slice(0, at),
  (text) => `${text} {}`,
  // The same text in other letters.
  (text, at) => text.slice(0, at) + text.slice(at).replace('x', '\\u0078'),
  // A field that stands there twice, also in other letters.
  (text) => text.replace(/\}$/, ',"messages":[]}'),
  (text) => text.replace(/\}$/, ',"mess\\u0061ges":[]}'),
  (text) => text.replace('{', '{"stream":false,'),
]

const spansIn = (text: string) => bodySpans(Buffer.from(text), 'messages')

describe('a body that begins like another one', () => {
  it('is read as if there were no other one, whatever was changed', () => {
    fc.assert(
      fc.property(
        filler,
        fc.array(one, { maxLength: 8 }),
        fc.array(one, { maxLength: 3 }),
        fc.tuple(space, fc.constantFrom(...changes), fc.double({ min: 0, max: 1, noNaN: true })),
        (pad, before, added, [indent, change, share]) => {
          const text = (messages: readonly unknown[], streams: boolean): string =>
            written([['pad', pad], ['messages', messages], ['stream', streams]], indent) // prettier-ignore
          const first = text(before, true)
          const whole = text([...before, ...added], false)
          const next = change(whole, Math.floor(share * whole.length))
          const spans = spansIn(first)
          if (!spans) throw new Error('no spans')
          const anew = spansIn(next)
          const on = bodySpans(Buffer.from(next), 'messages', { body: Buffer.from(first), spans })
          expect(on && { fields: [...on.fields], elements: on.elements }).toEqual(
            anew && { fields: [...anew.fields], elements: anew.elements },
          )
          // What is said to be the same, is.
          for (const [index, span] of (on?.elements ?? []).slice(0, on?.same).entries()) {
            expect(span).toEqual(spans.elements[index])
            expect(next.slice(span.start, span.end)).toBe(first.slice(span.start, span.end))
          }
        },
      ),
      { numRuns: 500 },
    )
  })

  it('is not read on from the end of its last element, which may go on', () => {
    const pad = 'x'.repeat(5_000)
    const first = `{"pad":"${pad}","messages":[1,2`
    const before = { body: Buffer.from(`${first}]}`), spans: spansIn(`${first}]}`) }
    const next = Buffer.from(`${first}3]}`)
    const on = bodySpans(next, 'messages', before as never)
    expect(on?.elements.map((span) => valueAt(next, span))).toEqual([1, 23])
  })
})

describe('the elements of bodies that come one after the other', () => {
  const message = (text: string) => ({ role: 'user', content: text })
  const long = message('x'.repeat(40_000))

  it('are what each body says, however they follow one another', async () => {
    const said = fc.array(
      fc.constantFrom('a', 'b', 'c').map((text) => message(text.repeat(6_000))),
      { maxLength: 6 },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(said, fc.boolean()), { maxLength: 8 }),
        async (requests) => {
          const recent = new RecentBodies()
          let last: BodyElements | undefined
          for (const [messages, isOther] of requests) {
            const list = [long, ...messages]
            const body = Buffer.from(JSON.stringify({ messages: list }))
            const read = recent.read(body, 'messages', ['key'])
            if (!read) throw new Error('not read')
            expect(read.elements).toEqual(readBodySpans(body, 'messages')?.elements)
            // Another conversation is at hand than the one that it was compared with.
            const elements = await elementsOf(body, read, isOther ? undefined : last)
            expect(elements?.elements.map(({ value }) => value)).toEqual(list)
            last = isOther ? last : elements
          }
        },
      ),
    )
  })

  it('are the same objects where the bytes are the same', async () => {
    const recent = new RecentBodies()
    const bodies = [[long, message('a')], [long, message('a'), message('b')]] // prettier-ignore
    const [first, second] = bodies.map((messages) => Buffer.from(JSON.stringify({ messages })))
    const read = (body = Buffer.of()) => recent.read(body, 'messages', ['key']) as never
    const before = await elementsOf(first as Buffer, read(first))
    const next = await elementsOf(second as Buffer, read(second), before)
    expect(next?.elements[0]?.value).toBe(before?.elements[0]?.value)
    expect(next?.elements[1]?.value).toBe(before?.elements[1]?.value)
  })

  it('are forgotten, the oldest first, where all have too many bytes', () => {
    const body = (whose: string) =>
      Buffer.from(JSON.stringify({ messages: [long, message(whose)] }))
    const recent = new RecentBodies(body('a').length * 3)
    const read = (whose: string) => recent.read(body(whose), 'messages', [whose])?.like
    for (const whose of ['a', 'b', 'c', 'd']) expect(read(whose)).toBeUndefined()
    expect(['b', 'c', 'd'].map((whose) => read(whose)?.elements)).toEqual([1, 1, 1])
    expect(read('a')).toBeUndefined()
    // One that is longer than all that may be remembered is so alone.
    const alone = new RecentBodies(1)
    alone.read(body('a'), 'messages', ['a'])
    expect(alone.read(body('a'), 'messages', ['a'])?.like).toBeDefined()
  })

  it('are read on from the one before also where that was half as long', () => {
    const recent = new RecentBodies()
    const bodies = Array.from({ length: 30 }, (_, count) =>
      Buffer.from(
        JSON.stringify({ messages: [long, ...Array(count).fill(message('a'.repeat(4_000)))] }),
      ),
    )
    const known = bodies.map((body) => recent.read(body, 'messages', ['key'])?.like?.elements)
    expect(known).toEqual([undefined, ...bodies.slice(1).keys()])
  })

  it('are read on from those of the same agent, however many others begin alike', () => {
    const recent = new RecentBodies()
    const whose = Array.from({ length: 40 }, (_, number) => `agent ${number}`)
    const turn = (steps: number) =>
      whose.map((name) => {
        const said = Array.from({ length: steps }, () => message('b'.repeat(3_000)))
        const body = Buffer.from(JSON.stringify({ messages: [long, message(name), ...said] }))
        return recent.read(body, 'messages', ['key'])?.like?.elements ?? 0
      })
    turn(1)
    // From the eighth step on, they are twice as long as what they were first known by.
    for (const steps of Array.from({ length: 10 }, (_, at) => at + 2)) {
      expect(turn(steps)).toEqual(whose.map(() => steps))
    }
  })

  it('are not compared with what somebody else has sent', () => {
    const recent = new RecentBodies()
    const body = Buffer.from(JSON.stringify({ messages: [long, message('a')] }))
    expect(recent.read(body, 'messages', ['key'])?.like).toBeUndefined()
    expect(recent.read(body, 'messages', ['other'])?.like).toBeUndefined()
    expect(recent.read(body, 'messages', ['key'])?.like).toBeDefined()
  })
})

describe('a long body', () => {
  const body = Buffer.from(
    JSON.stringify({
      messages: Array.from({ length: 64 }, (_, each) => ({
        role: 'user',
        content: `${each}`.repeat(100_000),
      })),
    }),
  )

  it('is read a mebibyte at a time, with a turn for everybody else between', async () => {
    const spans = readBodySpans(body, 'messages')
    if (!spans) throw new Error('not read')
    let read = 0
    const most: number[] = []
    const parse = vi.spyOn(JSON, 'parse').mockImplementation((text: string) => {
      read += text.length
      return {}
    })
    const turn = (): void => {
      most.push(read)
      read = 0
      if (isReading) setImmediate(turn)
    }
    let isReading = true
    setImmediate(turn)
    await elementsOf(body, spans)
    isReading = false
    parse.mockRestore()
    expect(most.length).toBeGreaterThan(body.length / 2_097_152)
    expect(Math.max(...most)).toBeLessThan(2_097_152)
  })
})
