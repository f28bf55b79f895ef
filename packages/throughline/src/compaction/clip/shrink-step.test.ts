import { describe, expect, it } from 'vitest'
import { contextOf } from '../../log/context/context.ts'
import { unitsOf, type AsideUnit, type HumanUnit, type StepUnit } from '../../log/steps.ts'
import { plainCounter } from '../../testing/plain-counter.ts'
import {
  assistant,
  call,
  harness,
  human,
  logFrom,
  result,
  tool,
} from '../../testing/generate/build.ts'
import { estimatedTokens } from '../../tokens/units.ts'
import { unitTokens } from '../measure/unit-tokens.ts'
import { clipAside, clipHuman } from './clip-human.ts'
import { commonCap, mergeReplacements } from './parts.ts'
import { shrinkStep } from './shrink-step.ts'
import type { EntryDraft, Ref, Replacement } from '../../log/entry.ts'

// A token for each character of all that a message holds.
const counter = plainCounter((text) => text.length, {
  message: (message) => JSON.stringify(message).length,
})
const clipping = { counter }
const tokens = estimatedTokens

const unitIn = (...drafts: EntryDraft[]): unknown => unitsOf(contextOf(logFrom(drafts)).items)[0]
const words = (count: number): string => 'word '.repeat(count)

describe('shrinking a step', () => {
  const step = unitIn(
    assistant([
      { type: 'text', text: words(1_000) },
      call('a', 'Write', { path: 'a.ts', content: words(1_000) }),
      call('b', 'Read'),
    ]),
    tool(result('a', 'Write', 'done'), result('b', 'Read', words(1_000))),
  ) as StepUnit
  const shrunk = (room: number, before: Replacement[] = []): Replacement[] =>
    shrinkStep(step, before, tokens(room), clipping)
  const whole = unitTokens(step, [], counter)

  it('leaves what fits as it is', () => {
    expect(shrunk(whole)).toEqual([])
  })

  it('clips the large output first, to what there is room for, and no small one', () => {
    const [only, ...others] = shrunk(whole - 1_000)
    expect(others).toEqual([])
    expect(only).toMatchObject({ how: 'clipped', ref: '2.1' })
    const left = unitTokens(step, only ? [only] : [], counter)
    expect(left).toBeLessThanOrEqual(whole - 1_000)
    expect(left).toBeGreaterThan(whole - 1_900)
  })

  it('then the long texts of inputs, which keep their shape', () => {
    const clipped = shrunk(whole - 8_000)
    expect(clipped.map(({ ref }) => ref)).toEqual(['2.1', '1.1'])
    expect(clipped[1]).toMatchObject({ input: { path: 'a.ts' } })
  })

  it('and last what it says', () => {
    const clipped = shrunk(500)
    expect(clipped.map(({ ref }) => ref)).toEqual(['2.1', '1.1', '1.0'])
    for (const each of clipped) {
      expect(JSON.stringify('input' in each ? each.input : each.text)).toContain(`ref ${each.ref}`)
    }
  })

  it('leaves of many outputs hardly more than where to read them', () => {
    const many = Array.from({ length: 10 }, (_, at) => `c${at}`)
    const parallel = unitIn(
      assistant(many.map((id) => call(id, 'Read'))),
      tool(...many.map((id) => result(id, 'Read', words(1_000)))),
    ) as StepUnit
    const perToken = plainCounter((text) => Math.ceil(text.length / 4), {
      message: (message) => Math.ceil(JSON.stringify(message).length / 4),
    })
    const least = (step: StepUnit): number[] =>
      shrinkStep(step, [], tokens(10), { counter: perToken }).map((clipped) =>
        'text' in clipped ? perToken.text(clipped.text) : 0,
      )
    expect(Math.max(...least(parallel))).toBeLessThanOrEqual(25)
    expect(least(step).some((size) => size > 40 && size <= 60)).toBe(true)
  })

  it('clips what stands there already, and keeps what else was replaced', () => {
    const before: Replacement[] = [
      { how: 'clipped', ref: '2.1', text: `${words(600)}END` },
      { how: 'pruned', ref: '2.0', text: 'gone' },
    ]
    const clipped = shrunk(unitTokens(step, before, counter) - 1_000, before)
    expect(clipped.map(({ ref }) => ref)).toEqual(['2.0', '2.1'])
    expect(clipped[1]).toMatchObject({ text: expect.stringContaining('END') })
  })
})

describe('the largest size that texts can have together', () => {
  const cap = (sizes: number[], room: number): number => commonCap(sizes.map(tokens), tokens(room))

  it('is endless where all of them fit', () => {
    expect(cap([10, 20, 30], 60)).toBe(Infinity)
    expect(cap([], 0)).toBe(Infinity)
  })

  it('gives large ones what small ones leave', () => {
    expect(cap([10, 20, 30], 59)).toBe(29)
    expect(cap([10, 100, 100], 110)).toBe(50)
    expect(cap([100, 10, 100], 111)).toBe(50)
  })

  it('is none where there is no room', () => {
    expect(cap([10, 20], 0)).toBe(0)
    expect(cap([10, 20], -5)).toBe(0)
  })
})

it('a later replacement of a part takes the place of an earlier one', () => {
  const at = (ref: Ref, text: string): Replacement => ({ how: 'clipped', ref, text })
  expect(mergeReplacements([at('1.0', 'a'), at('1.1', 'b')], [at('1.0', 'c')])).toEqual([
    at('1.1', 'b'),
    at('1.0', 'c'),
  ])
})

describe('clipping what was said', () => {
  const paste = unitIn(
    human([
      { type: 'text', text: 'Fix this.' },
      { type: 'text', text: words(1_000) },
    ]),
  ) as HumanUnit

  it('leaves a human message that fits as it is', () => {
    const known: Replacement[] = [{ how: 'described', ref: '1.2', text: '[Attached file]' }]
    const room = unitTokens(paste, known, counter)
    expect(clipHuman(paste, known, room, clipping)).toEqual(known)
  })

  it('takes the middle of its longest text, down to the room, and no other', () => {
    const [only, ...others] = clipHuman(paste, [], tokens(2_000), clipping)
    expect(others).toEqual([])
    expect(only).toMatchObject({ how: 'clipped', ref: '1.1' })
    const left = unitTokens(paste, only ? [only] : [], counter)
    expect(left).toBeLessThanOrEqual(2_000)
    expect(left).toBeGreaterThan(1_500)
  })

  it('shares the room among the texts of a reminder', () => {
    const aside = unitIn(harness(words(1_000))) as AsideUnit
    const clipped = clipAside(aside, [], tokens(1_000), clipping)
    expect(clipped).toHaveLength(1)
    const text = clipped[0] && 'text' in clipped[0] ? clipped[0].text : ''
    expect(text.length).toBeLessThanOrEqual(990)
    expect(text.length).toBeGreaterThan(700)
    expect(text).toContain('ref 1.0')
  })

  it('tells by which name the model reads the whole', () => {
    const aside = unitIn(harness(words(1_000))) as AsideUnit
    const known: Replacement[] = [{ how: 'clipped', ref: '9.0', text: 'other' }]
    const clipped = clipAside(aside, known, tokens(1_000), { counter, recallTool: 'recall' })
    expect(clipped.map(({ ref }) => ref)).toEqual(['9.0', '1.0'])
    expect(JSON.stringify(clipped)).toContain('the whole is ref 1.0, read it with recall …]')
  })
})
