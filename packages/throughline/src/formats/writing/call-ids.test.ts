import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { partsOf } from '../../log/message.ts'
import { runs } from '../../testing/generate/runs.ts'
import { withFreshCallIds } from './call-ids.ts'
import type { WrittenMessage } from './format-writer.ts'

function step(toolCallId: string): WrittenMessage[] {
  const call = { type: 'tool-call' as const, toolCallId, toolName: 'read', input: {} }
  const output = { type: 'text' as const, value: toolCallId }
  const result = { type: 'tool-result' as const, toolCallId, toolName: 'read', output }
  return [
    { message: { role: 'assistant', content: [call] }, origin: 'model', at: 0 },
    { message: { role: 'tool', content: [result] }, origin: 'tool', at: 0 },
  ]
}

function idsOf(messages: readonly WrittenMessage[], type: 'tool-call' | 'tool-result'): string[] {
  const parts = messages.flatMap(({ message }) => partsOf(message))
  return parts.flatMap((part) => (part.type === type ? [part.toolCallId] : []))
}

const arbitraryId = fc.oneof(
  fc.constantFrom('call', 'call_1', 'call_2', 'call-2', 'call_1_2', 'call|fc', 'x'.repeat(50)),
  fc.string({ maxLength: 45 }),
)

describe('call ids of a written session', () => {
  it('are legal, unique, and no other one with a number behind it, which clients confuse', () => {
    fc.assert(
      fc.property(fc.array(arbitraryId, { maxLength: 40 }), (given) => {
        const messages = withFreshCallIds(given.flatMap(step))
        const ids = idsOf(messages, 'tool-call')
        const all = new Set(ids)
        expect(all.size).toBe(given.length)
        expect(idsOf(messages, 'tool-result')).toEqual(ids)
        for (const id of ids) {
          expect(id).toMatch(/^[\w-]{1,40}$/)
          const root = id.replace(/_\d+$/, '')
          if (root !== id) expect(all).not.toContain(root)
        }
      }),
      runs(100),
    )
  })

  it('stay as they are where every client takes them', () => {
    const given = ['toolu_01', 'call_1', 'call_2', 'read_file_1776180686398_0']
    expect(idsOf(withFreshCallIds(given.flatMap(step)), 'tool-call')).toEqual(given)
  })
})
