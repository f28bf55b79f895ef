import { describe, expect, it } from 'vitest'
import { compactCall, restored } from './hidden-exchanges.ts'
import type { Element } from '../body/elements.ts'
import type { Hidden, Mark } from '../store/gateway-store.ts'
import type { Wire } from '../wires/wire.ts'

/** Says a round by its name. */
const wire = {
  tools: { said: (round: unknown) => [{ round }], restored: (following: unknown) => following },
} as unknown as Wire

const elements = ['ask', 'answer', 'more'].map((said) => ({
  value: { said },
  span: { start: 0, end: 0 },
})) as unknown as Element[]
// The newest first: `a` stands behind the first element, `c` behind all of them.
const heads = ['c', 'b', 'a'] as Mark[]

const hiddenAfter = (after: string, ...rounds: string[]) =>
  ({ after: after as Mark, exchange: { rounds } }) as unknown as Hidden

const valuesOf = (...hidden: Hidden[]) =>
  restored(hidden, wire, { elements, heads }).map(({ value }) => value)

describe('what a client has not seen', () => {
  it('stands where it was said, whatever was kept first', () => {
    const both = [hiddenAfter('a', 'one', 'two'), hiddenAfter('b', 'three')]
    const whole = [
      { said: 'ask' },
      { round: 'one' },
      { round: 'two' },
      { said: 'answer' },
      { round: 'three' },
      { said: 'more' },
    ]
    expect(valuesOf(...both)).toEqual(whole)
    expect(valuesOf(...both.toReversed())).toEqual(whole)
  })

  it('is left out before its answer has come back, and where its place is not there', () => {
    const own = elements.map(({ value }) => value)
    expect(valuesOf(hiddenAfter('c', 'to come'))).toEqual(own)
    expect(valuesOf(hiddenAfter('elsewhere', 'of another past'))).toEqual(own)
  })

  it('leaves the client’s own bytes where they are', () => {
    const all = restored([hiddenAfter('a', 'one')], wire, { elements, heads })
    expect(all.map(({ span }) => span)).toEqual([
      elements[0]?.span,
      undefined,
      elements[1]?.span,
      elements[2]?.span,
    ])
  })
})

it('the newest call of compact is the one that counts, of the request that it answered', () => {
  const result = (id: string, name: string) => ({ call: { id, name } })
  const of = (after: string, ...rounds: unknown[][]) =>
    ({
      after: after as Mark,
      exchange: { rounds: rounds.map((results) => ({ results })) },
    }) as unknown as Hidden
  const hidden = [
    of('a', [result('1', 'compact')], [result('2', 'compact'), result('3', 'recall')]),
    of('b', [result('4', 'recall')]),
  ]
  expect(compactCall(hidden, 'a' as Mark)).toMatchObject({ id: '2' })
  expect(compactCall(hidden, 'b' as Mark)).toBeUndefined()
  expect(compactCall(hidden, undefined)).toBeUndefined()
})
