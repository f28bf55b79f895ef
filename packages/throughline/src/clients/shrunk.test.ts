import { describe, expect, test } from 'vitest'
import { didShrink, isWorthwhile, sizesAround } from './shrunk.ts'
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
const compacted = (seq: number): Entry =>
  ({ kind: 'checkpoint', seq, at: 0, summary: '', tail: [], continuation: null }) as never

describe('whether a client’s requests shrink', () => {
  test('is judged by what the provider counted before and after each compaction', () => {
    const log = [said(1, 90), compacted(2), said(3), said(4, 30), said(5, 95), compacted(6)]
    expect(sizesAround(log)).toEqual([{ before: 90, after: 30 }])
    expect(sizesAround([...log, said(7, 94)])).toEqual([
      { before: 90, after: 30 },
      { before: 95, after: 94 },
    ])
    expect(sizesAround([compacted(1), said(2, 9)])).toEqual([])
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
