import { describe, expect, it } from 'vitest'
import { contextOf } from '../../log/context/context.ts'
import { modelOrder, type ModelOrder } from '../../log/order.ts'
import {
  assistant,
  call,
  harness,
  human,
  logFrom,
  result,
  tool,
} from '../../testing/generate/build.ts'
import { nothingDropped } from './dropped.ts'
import { droppedBetween } from './dropped-between.ts'
import type { ContextItem } from '../../log/context/context-item.ts'
import type { Replacement } from '../../log/entry.ts'
import type { ToolOutput } from '../../log/message.ts'

const image = { type: 'image', image: 'aaaa', mediaType: 'image/png' } as const
const shot: ToolOutput = {
  type: 'content',
  value: [{ type: 'image-data', data: 'aaaa', mediaType: 'image/png' }],
}

const before = contextOf(
  logFrom([
    human([{ type: 'text', text: 'Look.' }, image]),
    assistant([{ type: 'reasoning', text: 'Hm.' }, call('a', 'Read'), call('b', 'Skill')]),
    tool(result('a', 'Read', 'text'), result('b', 'Skill', 'Do it so.')),
    assistant([call('c', 'screenshot')]),
    tool(result('c', 'screenshot', shot)),
    harness('A reminder.'),
  ]),
).items

const after = (change: (item: ContextItem) => ContextItem[]): ModelOrder =>
  modelOrder(before.flatMap(change))
const dropped = (change: (item: ContextItem) => ContextItem[]) =>
  droppedBetween(before, after(change), ['skill'])
const replaced =
  (seq: number, ...replacements: Replacement[]) =>
  (item: ContextItem): ContextItem[] =>
    item.type === 'message' && item.seq === seq ? [{ ...item, replacements }] : [item]

describe('what the model sees no more', () => {
  it('is nothing where all stays', () => {
    expect(dropped((item) => [item])).toEqual(nothingDropped)
    expect(nothingDropped).toEqual({
      media: [],
      reasoning: [],
      results: [],
      skills: [],
      humanMessages: [],
    })
  })

  it('is told by kind where all goes: what a harness or the model said is no kind', () => {
    expect(dropped(() => [])).toEqual({
      media: ['1.1', '5.0'],
      reasoning: ['2.0'],
      results: ['3.0'],
      skills: ['3.1'],
      humanMessages: ['1'],
    })
  })

  it('is not a result that is now told as a text', () => {
    const late = (item: ContextItem): ContextItem[] =>
      item.type === 'message' && item.message.role === 'tool'
        ? [{ type: 'late', seq: item.seq, message: item.message }]
        : [item]
    expect(dropped(late)).toEqual(nothingDropped)
  })

  it('is not what is clipped, but what is pruned', () => {
    const text = 'less'
    expect(dropped(replaced(3, { how: 'clipped', ref: '3.0', text }))).toEqual(nothingDropped)
    const pruned = dropped(replaced(3, { how: 'pruned', ref: '3.0', text }))
    expect(pruned).toEqual({ ...nothingDropped, results: ['3.0'] })
    const other = dropped(replaced(3, { how: 'pruned', ref: '3.1', text }))
    expect(other).toEqual({ ...nothingDropped, skills: ['3.1'] })
    const both = (['3.0', '3.1'] as const).map((ref) => ({ how: 'pruned' as const, ref, text }))
    expect(dropped(replaced(3, ...both))).toEqual({
      ...nothingDropped,
      results: ['3.0'],
      skills: ['3.1'],
    })
  })

  it('is the reasoning of what now stands behind other things, once', () => {
    const moved = (item: ContextItem): ContextItem[] => [
      item.type === 'message' ? { ...item, kept: 'bare' } : item,
    ]
    expect(dropped(moved)).toEqual({ ...nothingDropped, reasoning: ['2.0'] })
    const later = after(moved)
    expect(droppedBetween(later, later, [])).toEqual(nothingDropped)
  })

  it('is a medium that became a line of text', () => {
    const described = (item: ContextItem): ContextItem[] =>
      item.type === 'message' && item.seq === 1
        ? [
            {
              ...item,
              message: {
                role: 'user',
                content: [
                  { type: 'text', text: 'Look.' },
                  { type: 'text', text: '[Attached image/png]' },
                ],
              },
            },
          ]
        : [item]
    expect(dropped(described)).toEqual({ ...nothingDropped, media: ['1.1'] })
  })

  it('is not what a continuation repeats, but for its media', () => {
    const repeated = (item: ContextItem): ContextItem[] =>
      item.seq === 1
        ? [
            {
              type: 'continuation',
              seq: 7,
              continuation: {
                kind: 'media',
                message: { role: 'user', content: 'Look.' },
                metadata: { compaction_continue: true, had_media: true },
                of: 1,
              },
            },
          ]
        : [item]
    expect(dropped(repeated)).toEqual({ ...nothingDropped, media: ['1.1'] })
  })

  it('is what stood, whatever `continue` says: it repeats no one', () => {
    const told: ContextItem = {
      type: 'continuation',
      seq: 3,
      continuation: {
        kind: 'mid-task',
        message: { role: 'user', content: 'continue' },
        metadata: { compaction_continue: true },
      },
    }
    expect(dropped((item) => (item.seq === 3 ? [told] : [item])).results).toEqual([])
    expect(dropped((item) => (item.seq === 3 ? [] : [item])).results).toEqual(['3.0'])
  })
})
