import { describe, expect, it } from 'vitest'
import {
  assistant,
  call,
  harness,
  human,
  logFrom,
  result,
  step,
  tool,
} from '../../testing/generate/build.ts'
import { contextOf } from './context.ts'
import { baseOf, itemOf, prunedItems, replaceParts } from './items-of.ts'
import { keptItem, nothingLearned } from './kept-reasoning.ts'
import { waitsForSomeone } from '../open-calls.ts'
import type { ContextItem, MessageItem } from './context-item.ts'
import type {
  CheckpointDraft,
  EntryDraft,
  EntryOf,
  PruneDraft,
  Ref,
  Replacement,
  TailItem,
} from '../entry.ts'
import type { Message, Part, ToolOutput } from '../message.ts'
import type { Drafts } from '../../testing/generate/build.ts'

const pruned = (ref: Replacement['ref'], text = 'short'): Replacement => ({
  how: 'pruned',
  ref,
  text,
})
const replacing = (content: Part[], replacement: Replacement): unknown =>
  (replaceParts({ role: 'assistant', content } as Message, [replacement]).content as Part[])[0]

describe('a replaced part', () => {
  const asks: Part = { type: 'tool-approval-request', approvalId: 'x', toolCallId: 'a' }
  const answers: Part = { type: 'tool-approval-response', approvalId: 'x', approved: true }

  it('of text is the text that stands for it, with what else belongs to it', () => {
    const providerOptions = { a: { b: 1 } }
    const part: Part = { type: 'text', text: 'long', providerOptions }
    expect(replacing([part], pruned('1.0'))).toEqual({
      type: 'text',
      text: 'short',
      providerOptions,
    })
  })

  it('of media or reasoning becomes text', () => {
    for (const part of [
      { type: 'image', image: 'x' },
      { type: 'file', data: 'x', mediaType: 'a/b' },
      { type: 'reasoning', text: 'hm' },
    ] as Part[]) {
      expect(replacing([part], pruned('1.0'))).toEqual({ type: 'text', text: 'short' })
    }
  })

  it.each<[ToolOutput, ToolOutput['type']]>([
    [{ type: 'text', value: 'x' }, 'text'],
    [{ type: 'json', value: 1 }, 'text'],
    [{ type: 'content', value: [] }, 'text'],
    [{ type: 'execution-denied' }, 'text'],
    [{ type: 'error-text', value: 'x' }, 'error-text'],
    [{ type: 'error-json', value: 1 }, 'error-text'],
  ])('of a result stays a result, and a failure a failure: %j', (output, type) => {
    expect(replacing([result('a', 'Read', output)], pruned('1.0'))).toEqual(
      result('a', 'Read', { type, value: 'short' } as ToolOutput),
    )
  })

  it('that belongs to a pair stays what it is, whatever a log says', () => {
    for (const part of [call('a', 'Read', { path: 'x' }) as Part, asks, answers]) {
      expect(replacing([part], pruned('1.0'))).toBe(part)
    }
  })

  it('of a call is its smaller input, and of nothing else', () => {
    const smaller: Replacement = { how: 'clipped', ref: '1.0', input: { path: '…' } }
    expect(replacing([call('a', 'Write', { path: 'x' })], smaller)).toEqual(
      call('a', 'Write', { path: '…' }),
    )
    const text: Part = { type: 'text', text: 'x' }
    expect(replacing([text], smaller)).toBe(text)
  })

  it('is the one that the ref names; the others and the original stay', () => {
    const message: Message = {
      role: 'user',
      content: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
    }
    const before = structuredClone(message)
    expect(replaceParts(message, [pruned('1.1')])).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'short' },
      ],
    })
    expect(message).toEqual(before)
    expect(replaceParts({ role: 'user', content: 'long' }, [pruned('7.0')]).content).toEqual([
      { type: 'text', text: 'short' },
    ])
    expect(replaceParts(message, [{ ...pruned('1.0'), ref: 'x' as never }])).toEqual(before)
  })
})

describe('the item of a message', () => {
  it('carries what the entry says of it, and no empty fields', () => {
    const metadata = { had_media: true }
    const [entry] = logFrom([{ ...assistant('hi', { finish: 'length' }), metadata } as EntryDraft])
    expect(itemOf(entry as EntryOf<'message'>)).toEqual({
      type: 'message',
      seq: 1,
      message: { role: 'assistant', content: 'hi' },
      origin: 'model',
      finish: 'length',
      metadata,
    })
    const [plain] = logFrom([human('hi')])
    const item = itemOf(plain as EntryOf<'message'>, [])
    expect(Object.keys(item)).toEqual(['type', 'seq', 'message', 'origin'])
    expect(item.message).toBe((plain as EntryOf<'message'>).message)
  })

  it('is kept behind other things than before if its reasoning may be bound to them', () => {
    const [one, other, more] = contextOf(
      logFrom([human('hi'), assistant('ho'), tool(result('a', 'x', 'y'))]),
    ).items as readonly ContextItem[] as [MessageItem, MessageItem, ContextItem]
    const refused = { refused: true, demanded: false }
    expect(keptItem(one, nothingLearned)).toBe(one)
    expect(keptItem(other, nothingLearned)).toEqual({ ...other, kept: 'whole' })
    expect(keptItem(other, refused)).toEqual({ ...other, kept: 'bare' })
    const bare = keptItem(other, refused)
    expect(keptItem(bare, nothingLearned)).toBe(bare)
    expect(keptItem(more, nothingLearned)).toBe(more)
  })
})

const prune = (...replacements: Replacement[]): PruneDraft => ({
  kind: 'prune',
  at: 0,
  base: 0,
  replacements,
  metadata: {},
})

const texts = (items: readonly ContextItem[]): unknown[] =>
  items.map((item) => (item.type === 'message' ? item.message.content : item.type))

describe('a prune', () => {
  const said: Drafts[] = [
    human('go'),
    step('a', 'Read', {}, 'long one'),
    tool(result('nobody', 'x', 'late')),
    step('b', 'Read', {}, 'long two'),
  ]

  it('replaces parts of several messages, and a part again', () => {
    const log = logFrom([
      ...said,
      prune(pruned('3.0'), pruned('6.0')),
      prune(pruned('3.0', 'less')),
    ])
    const items = contextOf(log).items
    expect(JSON.stringify(items)).not.toContain('long')
    expect(texts(items)[2]).toEqual([result('a', 'Read', 'less')])
    expect(texts(items)[5]).toEqual([result('b', 'Read', 'short')])
    const [third] = items.filter(({ seq }) => seq === 3) as MessageItem[]
    expect(third?.replacements).toEqual([pruned('3.0', 'less')])
  })

  it('keeps what an earlier one replaced elsewhere in the message', () => {
    const results = tool(result('a', 'x', 'long one'), result('b', 'x', 'long two'))
    const calls = assistant([call('a', 'x'), call('b', 'x')])
    const log = logFrom([calls, results, prune(pruned('2.0')), prune(pruned('2.1'))])
    expect(texts(contextOf(log).items)[1]).toEqual([
      result('a', 'x', 'short'),
      result('b', 'x', 'short'),
    ])
  })

  it('changes nothing that is no message, and nothing that is not there', () => {
    const log = logFrom([...said, { kind: 'pin', at: 0, text: 'keep' }])
    const context = contextOf(log)
    const nothing = prune(pruned('99.0'), pruned('7.0'), pruned('4.0'))
    expect(texts(prunedItems(context, nothing, log))).toEqual(texts(context.items))
    for (const item of prunedItems(context, nothing, log)) expect(item).not.toHaveProperty('kept')
  })

  it('leaves what stands before the first part that it replaces as it was', () => {
    const log = logFrom(said)
    const context = contextOf(log)
    const items = prunedItems(context, prune(pruned('3.0')), log)
    const kept = items.flatMap((item) => (item.type === 'message' && item.kept ? [item] : []))
    expect(items[1]).toBe(context.items[1])
    expect(kept.map(({ seq, kept }) => [seq, kept])).toEqual([[5, 'whole']])
  })
})

const checkpoint = (tail: TailItem[], extra: Partial<CheckpointDraft> = {}): CheckpointDraft => ({
  kind: 'checkpoint',
  at: 0,
  base: 99,
  summary: 'what was',
  summarizer: 'local',
  tail,
  continuation: null,
  metadata: {},
  ...extra,
})
const keeps = (...seqs: number[]): TailItem[] => seqs.map((seq) => ({ type: 'entry', seq }))
const seqsOf = (...drafts: Drafts[]): (number | string)[] =>
  contextOf(logFrom(drafts)).items.map((item) =>
    item.type === 'message' ? item.seq : `${item.type} ${item.seq}`,
  )

describe('a checkpoint', () => {
  it('stands for what came before it, whatever base it names', () => {
    expect(baseOf({ base: 3, seq: 9 })).toBe(3)
    expect(baseOf({ base: 9, seq: 9 })).toBe(8)
    expect(baseOf({ base: 99, seq: 9 })).toBe(8)
  })

  it('keeps each entry once, tells of omissions in their place, and ends with its continuation', () => {
    const continuation = {
      kind: 'mid-task',
      message: { role: 'user', content: 'continue' },
      metadata: { compaction_continue: true },
    } as const
    const tail: TailItem[] = [
      ...keeps(1),
      { type: 'omission', from: 2, to: 3, text: 'left out' },
      ...keeps(4, 4, 1, 77, 5),
    ]
    const pin: EntryDraft = { kind: 'pin', at: 0, text: 'keep' }
    const said = [human('a'), assistant('b'), human('c'), assistant('d'), pin]
    const log = logFrom([...said, checkpoint(tail, { continuation })])
    expect(contextOf(log).items).toEqual([
      { type: 'summary', seq: 6, summary: 'what was', pins: ['keep'], takenBack: [] },
      expect.not.objectContaining({ kept: expect.anything() }),
      { type: 'omission', seq: 6, from: 2, to: 3, text: 'left out' },
      expect.objectContaining({ seq: 4, kept: 'whole' }),
      { type: 'continuation', seq: 6, continuation },
    ])
  })

  it('shows what stands in place of a kept part', () => {
    const tail: TailItem[] = [{ type: 'entry', seq: 1, replacements: [pruned('1.0')] }]
    const { items } = contextOf(logFrom([human('long'), checkpoint(tail)]))
    expect(texts(items)[1]).toEqual([{ type: 'text', text: 'short' }])
  })

  it('is followed by what was said while it was written, in the order of the log', () => {
    const meanwhile = [human('c'), { kind: 'pin', at: 0, text: 'keep' } as const, assistant('d')]
    const drafts = [human('a'), assistant('b'), ...meanwhile, checkpoint(keeps(2), { base: 2 })]
    expect(seqsOf(...drafts)).toEqual(['summary 6', 2, 3, 5])
    const { items } = contextOf(logFrom(drafts))
    expect(items[3]).toMatchObject({ seq: 5, kept: 'whole' })
    expect(items[2]).not.toHaveProperty('kept')
  })

  it('gives results their place anew: behind their step, or as text where that is gone', () => {
    const asked = [human('go'), assistant([call('a', 'x')]), human('and?')]
    const late = tool(result('a', 'x', 'here'))
    const over = (...seqs: number[]): CheckpointDraft => checkpoint(keeps(...seqs), { base: 3 })
    expect(seqsOf(...asked, late, over(2, 3))).toEqual(['summary 5', 2, 4, 3])
    expect(seqsOf(...asked, late, over(3))).toEqual(['summary 5', 3, 'late 4'])
    // It came too late for the agent, but the step that went on without it is not kept.
    const gone = [assistant([call('a', 'x')]), assistant('on'), late]
    expect(seqsOf(...gone, checkpoint(keeps(1), { base: 2 }))).toEqual(['summary 4', 1, 3])
    expect(seqsOf(...gone, checkpoint(keeps(1, 2), { base: 2 }))).toEqual([
      'summary 4',
      1,
      2,
      'late 3',
    ])
  })

  it('keeps no result without its call', () => {
    const said = [harness('x'), ...step('a', 'Read', {}, 'text')]
    expect(seqsOf(...said, checkpoint(keeps(3)))).toEqual(['summary 4', 'late 3'])
    expect(seqsOf(...said, checkpoint(keeps(2, 3)))).toEqual(['summary 4', 2, 3])
  })

  it('leaves a pending step pending, whatever came late while it was written', () => {
    const drafts = [human('go'), assistant([call('a', 'x')]), tool(result('nobody', 'x', 'late'))]
    const log = logFrom([...drafts, checkpoint(keeps(1), { base: 1 })])
    const { items } = contextOf(log)
    expect(items.map(({ type, seq }) => `${type} ${seq}`)).toEqual([
      'summary 4',
      'message 1',
      'late 3',
      'message 2',
    ])
    expect(waitsForSomeone(items)).toBe(true)
  })

  it('leaves what was pruned while it was written pruned', () => {
    const drafts = [human('go'), ...step('a', 'Read', {}, 'long'), prune(pruned('3.0'))]
    const { items } = contextOf(logFrom([...drafts, checkpoint([], { base: 1 })]))
    expect(texts(items)[2]).toEqual([result('a', 'Read', 'short')])
  })

  it('names the pins that were taken back', () => {
    const pin: EntryDraft = { kind: 'pin', at: 0, text: 'never push' }
    const { items } = contextOf(logFrom([pin, { kind: 'unpin', at: 0, pin: 1 }, checkpoint([])]))
    expect(items[0]).toMatchObject({ pins: [], takenBack: ['never push'] })
  })
})

describe('a pin whose words stand where they were said', () => {
  const said = [human('go'), ...step('a', 'Read', {}, 'port = 8123'), assistant('on')]
  const pin = (ref: Ref): EntryDraft => ({ kind: 'pin', at: 0, text: 'port = 8123', ref })
  const types = (...drafts: EntryDraft[]) =>
    contextOf(logFrom(drafts)).items.map(({ type }) => type)
  const four = Array.from({ length: 4 }, () => 'message')

  it('stands by itself once they are replaced, by whichever ref they were pinned', () => {
    for (const ref of ['3.0', '3'] as const) {
      expect(types(...said, pin(ref))).toEqual(four)
      expect(types(...said, pin(ref), prune(pruned('3.0')))).toEqual([...four, 'pin'])
      const again = [prune(pruned('3.0')), prune(pruned('3.0', 'less'))]
      expect(types(...said, pin(ref), ...again)).toEqual([...four, 'pin'])
    }
    expect(types(...said, pin('4.0'), prune(pruned('3.0')))).toEqual(four)
    const unpin: EntryDraft = { kind: 'unpin', at: 0, pin: 5 }
    expect(types(...said, pin('3.0'), unpin, prune(pruned('3.0')))).toEqual(four)
  })

  it('does not stand twice where a summary holds it, nor between a call and its result', () => {
    const tail: TailItem[] = keeps(2, 3, 4)
    const summed = [...said, pin('3.0'), checkpoint(tail), prune(pruned('3.0'))]
    expect(types(...summed)).toEqual(['summary', 'message', 'message', 'message'])
    const open = [...said, pin('3.0'), assistant([call('b', 'Read')]), prune(pruned('3.0'))]
    const { items } = contextOf(logFrom(open))
    expect(items.map(({ type }) => type)).toEqual([...four, 'pin', 'message'])
    expect(items.at(-1)).toMatchObject({ kept: 'whole' })
    expect(waitsForSomeone(items)).toBe(true)
  })
})

describe('a pruned part', () => {
  it('says when it was first pruned, whatever comes after', () => {
    const said = [human('go'), ...step('a', 'Read', {}, 'long'), human('more')]
    const at = (draft: PruneDraft, time: number): PruneDraft => ({ ...draft, at: time })
    const times = (...drafts: EntryDraft[]) =>
      contextOf(logFrom([...said, ...drafts])).items.flatMap((item) =>
        item.type === 'message' && item.metadata?.time ? [item.metadata.time.compacted] : [],
      )
    const first = at(prune(pruned('3.0')), 5)
    expect(times(first)).toEqual([5])
    expect(times(first, at(prune(pruned('4.0')), 7))).toEqual([5, 7])
    expect(times(at(prune({ ...pruned('3.0'), how: 'clipped' } as Replacement), 5))).toEqual([])
    const kept: TailItem = { type: 'entry', seq: 3, replacements: [pruned('3.0')] }
    const summary = checkpoint([...keeps(2), kept], { at: 9 })
    expect(times(summary)).toEqual([9])
    expect(times(first, summary)).toEqual([5])
  })
})

describe('a prune of two parts of one message', () => {
  it('replaces both', () => {
    const results = tool(result('a', 'x', 'long one'), result('b', 'x', 'long two'))
    const said = [assistant([call('a', 'x'), call('b', 'x')]), results]
    const { items } = contextOf(logFrom([...said, prune(pruned('2.0'), pruned('2.1', 'less'))]))
    expect(texts(items)[1]).toEqual([result('a', 'x', 'short'), result('b', 'x', 'less')])
  })
})
