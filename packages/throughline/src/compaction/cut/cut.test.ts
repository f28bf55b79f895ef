import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contextOf } from '../../log/context/context.ts'
import { unitsOf } from '../../log/steps.ts'
import {
  assistant,
  baseBefore,
  call,
  harness,
  human,
  logFrom,
  step,
} from '../../testing/generate/build.ts'
import { runs } from '../../testing/generate/runs.ts'
import { arbitrarySession } from '../../testing/generate/session.ts'
import { counterOf } from '../../tokens/counter.ts'
import { shrinkStep } from '../clip/shrink-step.ts'
import { unitTokens } from '../measure/unit-tokens.ts'
import { cutBySteps, type Cut, type CutInput } from './cut.ts'
import type { StepUnit } from '../../log/steps.ts'
import type { Drafts } from '../../testing/generate/build.ts'
import { estimatedTokens } from '../../tokens/units.ts'

const counter = counterOf({ ratio: 1 })

function cutOf(
  drafts: readonly Drafts[],
  budget: number,
  stretch = budget,
  own: Partial<CutInput> = {},
): Cut {
  const units = unitsOf(contextOf(logFrom(drafts)).items)
  return cutBySteps({
    units,
    budget: estimatedTokens(budget),
    full: estimatedTokens(budget),
    stretch: estimatedTokens(stretch),
    request: estimatedTokens(100_000),
    media: estimatedTokens(0),
    olderMedia: 0,
    tailTurns: 2,
    protectedTools: ['skill'],
    counter,
    ...own,
  })
}

const seqs = ({ tail }: Cut): number[] =>
  tail.flatMap((item) => (item.type === 'entry' ? [item.seq] : []))
const gaps = ({ tail }: Cut): string[] =>
  tail.flatMap((item) => (item.type === 'omission' ? [item.text] : []))

describe('the cut', () => {
  it('keeps the human messages of the last two turns word for word, and the newest steps that fit', () => {
    const cut = cutOf(
      [
        human('first'),
        step('a', 'read', {}, 'x '.repeat(100)),
        human('second'),
        step('b', 'read', {}, 'x '.repeat(3_000)),
        step('c', 'read', {}, 'x '.repeat(100)),
        human('third'),
        step('d', 'read', {}, 'x '.repeat(100)),
      ],
      800,
    )
    expect(seqs(cut)).toEqual([4, 7, 8, 9, 10, 11])
    expect(gaps(cut)).toEqual(['[1 step is left out here, entries 5–6; the summary covers them.]'])
  })

  it('keeps what calls brought rather than older turns of talk, which stay where there is room', () => {
    const drafts = [
      human('first'),
      step('a', 'read', {}, 'x '.repeat(100)),
      ...['second', 'third', 'fourth', 'fifth'].flatMap((text) => [
        human(text),
        assistant(`${text} is done. `.repeat(20)),
      ]),
    ]
    expect(seqs(cutOf(drafts, 330))).toEqual([1, 2, 3, 8, 9, 10, 11])
    expect(seqs(cutOf(drafts, 5_000))).toEqual(logFrom(drafts).map(({ seq }) => seq))
  })

  it('leaves older talk to a summary by code, but for the room that it leaves', () => {
    const drafts = ['first', 'second', 'third', 'fourth'].flatMap((text) => [
      human(text),
      assistant(`${text} is done.`),
    ])
    expect(seqs(cutOf(drafts, 900))).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(seqs(cutOf(drafts, 900, 900, { tellsTalk: true }))).toEqual([5, 6, 7, 8])
  })

  it('keeps no marker and no continuation of an earlier cut that came back from a file', () => {
    const marker = '[2 steps are left out here; the summary covers them.]'
    const drafts = [
      human('first'),
      harness(`${marker}\n[The assistant had just said:]\nShall I?`),
      step('a', 'read', {}, 'short'),
      {
        ...human('continue'),
        origin: 'synthetic',
        metadata: { compaction_continue: true },
      } as const,
      human('second'),
      harness('remember'),
      assistant('Done.'),
    ]
    const cut = cutOf(drafts, 5_000)
    expect(seqs(cut)).toEqual([1, 3, 4, 6, 7, 8])
    expect(gaps(cut)).toEqual([])
    // Whoever else writes such a line means it.
    expect(seqs(cutOf([human(marker), human('second')], 5_000))).toEqual([1, 2])
  })

  it('keeps with a human message what the assistant had said that it answers', () => {
    const cut = cutOf(
      [
        human('plan it'),
        assistant(
          `I would do seven things: 1. parse 2. lex … 5. push 7. deploy ${'and more '.repeat(250)}`,
        ),
        human('skip 5 and 7, do the rest'),
        step('a', 'read', {}, 'x '.repeat(3_000)),
      ],
      500,
    )
    expect(gaps(cut).join('\n')).toContain('I would do seven things')
    expect(seqs(cut)).toContain(3)
  })

  it('keeps of the newest step a fair part of a full tail, however little a rung leaves', () => {
    const units = unitsOf(
      contextOf(logFrom([human('go'), step('a', 'read', {}, 'x '.repeat(20_000))])).items,
    )
    const none = estimatedTokens(0)
    const { tail } = cutBySteps({
      units,
      budget: none,
      full: estimatedTokens(2_000),
      stretch: none,
      request: estimatedTokens(100_000),
      media: none,
      olderMedia: 0,
      tailTurns: 2,
      protectedTools: ['skill'],
      counter,
    })
    const [clipped] = tail.flatMap((item) =>
      item.type === 'entry' && item.seq === 3 ? (item.replacements ?? []) : [],
    )
    const text = clipped && 'text' in clipped ? clipped.text : ''
    expect(counter.text(text)).toBeGreaterThan(300)
    expect(counter.text(text)).toBeLessThanOrEqual(500)
  })

  const image = { type: 'image', image: 'aaaa', mediaType: 'image/png' } as const
  const clipped = ({ tail }: Cut): string[] =>
    tail.flatMap((item) =>
      item.type === 'entry' ? (item.replacements ?? []).map(({ ref }) => ref) : [],
    )

  it('keeps so many older media as it is told to, the newest of them', () => {
    const shown = (n: number) => [human([{ type: 'text', text: `Look ${n}.` }, image])]
    const answered = [
      shown(1),
      assistant('I see.'),
      shown(2),
      assistant('I see.'),
      assistant('On.'),
    ]
    expect(clipped(cutOf(answered, 8_000))).toEqual(['1.1', '3.1'])
    expect(clipped(cutOf(answered, 8_000, 8_000, { olderMedia: 1 }))).toEqual(['1.1'])
    expect(clipped(cutOf(answered, 8_000, 8_000, { olderMedia: 2 }))).toEqual([])
  })

  it('never clips short words beside a picture, nor a text to a longer one', () => {
    const picture = { ...image, image: 'a'.repeat(12_000) }
    const log = [
      human([{ type: 'text', text: 'Move it.' }, picture]),
      assistant('So.'),
      human('On.'),
    ]
    const request = estimatedTokens(20)
    const whole = cutOf(log, 8_000, 8_000, { olderMedia: 1, request })
    expect(clipped(whole)).toEqual([])
  })

  it('keeps the media of a request that nobody has answered, while they have room', () => {
    const asked = [assistant('Done.'), human([{ type: 'text', text: 'Look.' }, image])]
    const room = { media: estimatedTokens(10_000) }
    const { mediaTokens = 0, ...cut } = cutOf(asked, 500, 500, room)
    expect(clipped(cut)).toEqual([])
    expect(mediaTokens).toBeGreaterThan(0)
    expect(clipped(cutOf(asked, 500))).toEqual(['2.1'])
  })

  it('keeps the newest human message and the latest request, whatever the room', () => {
    const said = [human('Rework it.'), human([image]), step('a', 'read', {}, 'x '.repeat(500))]
    expect(seqs(cutOf(said, 0, 0, { tailTurns: 0 })).slice(0, 2)).toEqual([1, 2])
  })

  it('keeps what somebody wants to stay, while there is room', () => {
    const wanted = { wanted: new Set([2]), tailTurns: 1 }
    const drafts = [
      human('go'),
      step('a', 'read', {}, 'x '.repeat(400)),
      step('b', 'read', {}, 'x '.repeat(2_000)),
      human('on'),
      step('c', 'read', {}, 'x '.repeat(100)),
    ]
    expect(seqs(cutOf(drafts, 900))).not.toContain(2)
    expect(seqs(cutOf(drafts, 900, 900, wanted))).toEqual(expect.arrayContaining([2, 3]))
    expect(seqs(cutOf(drafts, 300, 300, wanted))).not.toContain(2)
  })

  it('goes back beyond a marker, and no further than an earlier summary', () => {
    const drafts = [
      step('a', 'read', {}, 'one'),
      step('b', 'read', {}, 'two'),
      {
        kind: 'checkpoint' as const,
        at: 0,
        base: baseBefore,
        summary: 'It was.',
        summarizer: 'other',
        tail: [
          { type: 'entry' as const, seq: 1 },
          { type: 'entry' as const, seq: 2 },
          { type: 'omission' as const, from: 3, to: 4, text: 'left out' },
        ],
        continuation: null,
        metadata: {},
      },
      step('c', 'read', {}, 'three'),
    ]
    expect(seqs(cutOf(drafts, 8_000))).toEqual([1, 2, 6, 7])
  })

  it('always keeps a pending step, clipped if need be', () => {
    const cut = cutOf(
      [human('go'), assistant([call('a', 'Write', { content: 'x '.repeat(20_000) })])],
      300,
    )
    expect(seqs(cut)).toEqual([1, 2])
    expect(JSON.stringify(cut.tail)).toContain('"how":"clipped"')
  })

  it('clips an output that is too large for the tail, with a ref to the whole', () => {
    const cut = cutOf([human('go'), step('a', 'read', {}, 'x '.repeat(20_000))], 1_000)
    expect(seqs(cut)).toEqual([1, 2, 3])
    expect(cut.tailTokens).toBeLessThanOrEqual(1_000)
    expect(JSON.stringify(cut.tail)).toContain('ref 3.0')
  })

  it("clips a harness's reminder that would fill the tail", () => {
    const cut = cutOf(
      [human('go'), step('a', 'read', {}, 'x'), harness('remember '.repeat(9_000))],
      1_000,
    )
    expect(seqs(cut)).toEqual([1, 2, 3, 4])
    expect(cut.tailTokens).toBeLessThanOrEqual(1_000)
  })

  it('keeps every unit once, in its order, and a step whole or not at all', () => {
    fc.assert(
      fc.property(arbitrarySession(), fc.nat(8_000), (drafts, budget) => {
        const log = logFrom(drafts)
        const units = unitsOf(contextOf(log).items)
        const cut = cutBySteps({
          units,
          budget: estimatedTokens(budget),
          full: estimatedTokens(budget),
          stretch: estimatedTokens(budget),
          request: estimatedTokens(100_000),
          media: estimatedTokens(0),
          olderMedia: 0,
          tailTurns: 2,
          protectedTools: ['skill'],
          counter,
        })
        const tail = seqs(cut)
        expect(tail).toEqual([...new Set(tail)].toSorted((a, b) => indexOf(a) - indexOf(b)))
        const head = cut.head.flatMap((unit) => unit.items.map((item) => item.seq))
        expect(new Set([...head, ...tail]).size).toBe(head.length + tail.length)
        for (const unit of units) {
          const kept = unit.items.filter((item) => tail.includes(item.seq)).length
          expect([0, unit.items.length]).toContain(kept)
        }

        function indexOf(seq: number): number {
          return units.findIndex((unit) => unit.items.some((item) => item.seq === seq))
        }
      }),
      runs(60),
    )
  })

  /** What the newest step comes to at its smallest. */
  function leastOf(step: StepUnit): number {
    return unitTokens(step, shrinkStep(step, [], estimatedTokens(0), { counter }), counter)
  }

  it('keeps to its budget but for what must stay', () => {
    fc.assert(
      fc.property(arbitrarySession(), fc.integer({ min: 500, max: 8_000 }), (drafts, budget) => {
        const units = unitsOf(contextOf(logFrom(drafts)).items)
        const cut = cutBySteps({
          units,
          budget: estimatedTokens(budget),
          full: estimatedTokens(budget),
          stretch: estimatedTokens(0),
          request: estimatedTokens(100_000),
          media: estimatedTokens(0),
          olderMedia: 0,
          tailTurns: 2,
          protectedTools: ['skill'],
          counter,
        })
        const newest = units.findLast((unit) => unit.type === 'human')
        const asked = newest?.type === 'human' ? counter.message(newest.message) : 0
        const step = units.findLast((unit) => unit.type === 'step')
        const must = asked + (step?.type === 'step' ? leastOf(step) : 0)
        const pending = units.at(-1)
        const open = pending?.type === 'step' && pending.status === 'pending'
        // Gaps and what they quote come on top, a quarter of the budget for each human message, and
        // a mark of some forty tokens for each text that is clipped.
        if (!open) expect(cut.tailTokens).toBeLessThanOrEqual(Math.max(must, budget) * 1.5 + 300)
      }),
      runs(60),
    )
  })
})
