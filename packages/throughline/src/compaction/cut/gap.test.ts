import { describe, expect, it } from 'vitest'
import { contextOf } from '../../log/context/context.ts'
import { unitsOf } from '../../log/steps.ts'
import { plainCounter } from '../../testing/plain-counter.ts'
import { assistant, harness, human, logFrom, step } from '../../testing/generate/build.ts'
import { estimatedTokens } from '../../tokens/units.ts'
import { gapItem } from './gap.ts'
import type { Drafts } from '../../testing/generate/build.ts'

const counter = plainCounter((text) => text.length)
const gap = (drafts: readonly Drafts[], own: Partial<Parameters<typeof gapItem>[1]> = {}) =>
  gapItem(unitsOf(contextOf(logFrom(drafts)).items), {
    quote: false,
    first: false,
    budget: estimatedTokens(800),
    counter,
    ...own,
  })

const one = step('a', 'Read', {}, 'text')
const two = step('b', 'Read', {}, 'text')

describe('the marker of what is left out', () => {
  it('counts the steps, and names the entries', () => {
    expect(gap([one])).toEqual({
      type: 'omission',
      from: 1,
      to: 2,
      text: '[1 step is left out here, entries 1–2; the summary covers them.]',
    })
    expect(gap([one, two, harness('remember')])).toEqual({
      type: 'omission',
      from: 1,
      to: 5,
      text: '[2 steps are left out here, entries 1–5; the summary covers them.]',
    })
  })

  it('counts the messages where no step is left out', () => {
    expect(gap([harness('remember')])?.text).toBe(
      '[1 message is left out here, entries 1–1; the summary covers them.]',
    )
    expect(gap([harness('remember'), harness('and this')])?.text).toContain('[2 messages are left')
  })

  it('is not needed before the first part that is kept', () => {
    expect(gap([one], { first: true })).toBeUndefined()
  })

  it('quotes what the assistant last said, before a human message', () => {
    const said = gap([assistant('Earlier.'), assistant('Shall I?'), harness('remember')], {
      quote: true,
    })
    expect(said?.text).toBe(
      '[2 steps are left out here, entries 1–3; the summary covers them.]\n[The assistant had just said:]\nShall I?',
    )
    const first = gap([assistant('Shall I?')], { quote: true, first: true })
    expect(first?.text).toBe('[The assistant had just said:]\nShall I?')
  })

  it('quotes nothing where it said nothing', () => {
    expect(gap([assistant('Shall I?'), one], { quote: true, first: true })).toBeUndefined()
    expect(gap([assistant(' \n')], { quote: true, first: true })).toBeUndefined()
    expect(gap([human('hello')], { quote: true, first: true })).toBeUndefined()
  })

  it('quotes a few words even where the tail has no room, and never only says that more is left out', () => {
    const none = { quote: true, first: true, budget: estimatedTokens(0) }
    expect(gap([assistant('Step 7 is done.')], none)?.text).toBe(
      '[The assistant had just said:]\nStep 7 is done.',
    )
    expect(gap([assistant('word '.repeat(1_000))], none)).toBeUndefined()
  })

  it('clips a long quote to a quarter of the tail, with its ref', () => {
    const said = gap([assistant('word '.repeat(1_000))], { quote: true, first: true })
    expect(said?.text.length).toBeLessThanOrEqual(200 + '[The assistant had just said:]\n'.length)
    expect(said?.text).toContain('the whole is ref 1 …]')
  })
})
