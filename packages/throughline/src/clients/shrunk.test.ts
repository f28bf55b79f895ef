import { describe, expect, test } from 'vitest'
import {
  besideMessages,
  countedNow,
  didShrink,
  isWorthwhile,
  sizesAround,
  tookAway,
} from './shrunk.ts'
import { estimateTokens } from '../tokens/estimate.ts'
import { messageTokens } from '../tokens/message-tokens.ts'
import type { Entry } from '../log/entry.ts'

const said = (seq: number, inputTokens?: number): Entry => ({
  kind: 'message',
  seq,
  at: 0,
  origin: 'model',
  message: { role: 'assistant', content: 'ok' },
  finish: 'stop',
  ...(inputTokens !== undefined && { usage: { inputTokens, outputTokens: 1 } }),
})
const printed = (seq: number, text: string): Entry => ({
  kind: 'message',
  seq,
  at: 0,
  origin: 'tool',
  message: {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: `c${seq}`,
        toolName: 'read',
        output: { type: 'text', value: text },
      },
    ],
  },
})
const compacted = (seq: number): Entry =>
  ({ kind: 'checkpoint', seq, at: 0, summary: '', tail: [], continuation: null }) as never

describe('whether a client’s requests shrink', () => {
  test('is judged by what the provider counted before and after each compaction', () => {
    // The answer itself is in the next request.
    const ok = messageTokens({ role: 'assistant', content: 'ok' }, estimateTokens)
    const log = [said(1, 90), compacted(2), said(3), said(4, 30), said(5, 95), compacted(6)]
    expect(sizesAround(log)).toMatchObject([{ before: 90 + ok, after: 30 }])
    expect(sizesAround([...log, said(7, 94)])).toMatchObject([
      { before: 90 + ok, after: 30 },
      { before: 95 + ok, after: 94 },
    ])
    expect(sizesAround([compacted(1), said(2, 9)])).toEqual([])
  })

  test('is judged by the request that would have come, with what was printed since', () => {
    const long = 'A line about the harbour and its ships.\n'.repeat(600)
    const step = (seq: number, tokens: number): Entry[] => [
      said(seq, tokens),
      printed(seq + 1, long),
      compacted(seq + 2),
    ]
    const grown = sizesAround([...step(1, 41_138), said(4, 41_193)])[0]?.grown ?? 0
    expect(grown).toBeGreaterThan(4_000)
    // A client whose window is small compacts at each step, back to where it was.
    const steady = [...step(1, 41_138), ...step(4, 41_193), ...step(7, 41_172), said(10, 41_180)]
    expect(sizesAround(steady).map(tookAway)).toEqual([true, true, true])
    // One that compacts nothing sends more at each, whether the estimate is a little high or low.
    for (const share of [0.7, 1, 1.4]) {
      const more = Math.round(grown * share)
      const idle = [...step(1, 41_000), ...step(4, 41_000 + more), said(7, 41_000 + 2 * more)]
      expect(sizesAround(idle).map(tookAway), `${share}`).toEqual([false, false])
    }
  })

  test('is judged by the first of two compactions between two requests', () => {
    const log = [said(1, 90), compacted(2), printed(3, 'more'), compacted(4), said(5, 30)]
    const one = [said(1, 90), compacted(2), said(5, 30)]
    expect(sizesAround(log)).toEqual(sizesAround(one))
  })

  test('counts no thoughts, which are hardly ever sent again', () => {
    const thinks = (text: string): Entry =>
      ({
        ...said(1, 90),
        message: {
          role: 'assistant',
          content: [
            { type: 'reasoning', text },
            { type: 'text', text: 'ok' },
          ],
        },
      }) as Entry
    const around = (text: string) => sizesAround([thinks(text), compacted(2), said(3, 80)])
    expect(around('Hm. '.repeat(900))).toEqual(around('Hm.'))
  })

  test('is no longer tried after two in a row that did not', () => {
    expect([[], [false], [true, false], [false, false, true]].every(isWorthwhile)).toBe(true)
    expect(isWorthwhile([true, false, false])).toBe(false)
  })

  test('means half of what was planned', () => {
    const planned = { before: 100, after: 20 }
    expect(didShrink({ before: 120, after: 80 }, planned)).toBe(true)
    expect(didShrink({ before: 120, after: 81 }, planned)).toBe(false)
  })
})

describe('what a provider counted tells', () => {
  const text = 'A line about the harbour and its ships.\n'.repeat(600)
  const asked: Entry = {
    kind: 'message',
    seq: 1,
    at: 0,
    origin: 'human',
    message: { role: 'user', content: text },
  }
  const tokens = messageTokens({ role: 'user', content: text }, estimateTokens)

  test('what is sent besides the messages, by the first request alone', () => {
    expect(besideMessages([asked, said(2, tokens + 20_000), said(3, 90_000)])).toBe(20_000)
    expect(besideMessages([asked, said(2, 10)])).toBe(0)
    expect(besideMessages([compacted(1), said(2, 20_000)])).toBe(0)
    expect(besideMessages([asked])).toBe(0)
  })

  test('the next request, unless it was compacted since', () => {
    const ok = messageTokens({ role: 'assistant', content: 'ok' }, estimateTokens)
    expect(countedNow([said(1, 500), said(2, 900)])).toBe(900 + ok)
    expect(countedNow([said(1, 500), said(2)])).toBe(500 + 2 * ok)
    expect(countedNow([said(1, 500), compacted(2), said(3)])).toBe(undefined)
    expect(countedNow([])).toBe(undefined)
  })
})
