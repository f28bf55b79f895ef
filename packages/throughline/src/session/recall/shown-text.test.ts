import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fieldLines, shownText } from './shown-text.ts'

describe('what a part says', () => {
  test('has the texts of an input word for word', () => {
    const input = { path: 'a.ts', limit: 3, edits: [{ old: 'a\n  b', all: true }] }
    const call = { type: 'tool-call', toolCallId: 'c', toolName: 'edit', input } as const
    expect(shownText(call)).toBe('path: a.ts\nlimit: 3\nedits.0.old:\na\n  b\nedits.0.all: true')
  })

  test('names media, and has the reason of a denial', () => {
    const media = { type: 'image-data', mediaType: 'image/png', data: 'AAAA' }
    const output = { type: 'content', value: [{ type: 'text', text: 'a screen' }, media] } as const
    const result = { type: 'tool-result', toolCallId: 'c', toolName: 'shot' } as const
    expect(shownText({ ...result, output: { ...output, value: [...output.value] } })).toBe(
      'a screen\n[Attached image/png]',
    )
    const denial = { type: 'tool-approval-response', approvalId: 'a', approved: false } as const
    expect(shownText({ ...denial, reason: 'Never delete it.' })).toContain('Never delete it.')
  })

  test('is made of any value, at a cost that grows with its size', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withTypedArray: true }), (value) => {
        expect(typeof fieldLines(value)).toBe('string')
      }),
    )
    let deep: unknown = 'x\ny'
    for (let depth = 0; depth < 1000; depth++) deep = { [`name${depth}`]: deep }
    expect(fieldLines(deep).length).toBeLessThan(20_000)
  })
})
