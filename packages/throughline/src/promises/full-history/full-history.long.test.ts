import { describe, expect, it } from 'vitest'
import { defaultPolicy } from '../../compaction/policy.ts'
import { ownLoop, sessionDoors } from './doors.ts'
import { statelessDoors } from './stateless-doors.ts'
import { compact } from '../../integrations/anthropic/index.ts'
import { compactChat, compactInput } from '../../integrations/openai/index.ts'
import type { Walked } from './walked.ts'

const steps = 150

/** How much of what was sent stood, byte for byte, at the beginning of the request before. */
function cacheShare({ requests }: Walked): number {
  let shared = 0
  let sent = 0
  let before = ''
  for (const request of requests) {
    const text = request.map((message) => JSON.stringify(message)).join('\n')
    shared += commonLength(before, text)
    sent += text.length
    before = text
  }
  return shared / sent
}

function commonLength(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let length = 0
  while (length < most && one[length] === other[length]) length += 1
  return length
}

describe('a host that hands over its whole history at every step', async () => {
  const own = await ownLoop(steps)

  it.each(Object.entries({ ...sessionDoors, ...statelessDoors }))(
    'has one compaction for each growth: %s',
    async (_, door) => {
      const walked = await door(steps)
      expect(walked.requests).toHaveLength(steps)
      expect(walked.compactions).toBeGreaterThan(0)
      expect(walked.compactions).toBeLessThanOrEqual(own.compactions)
      expect(cacheShare(walked)).toBeGreaterThanOrEqual(0.9)
    },
  )
})

describe('a full history of an API whose outputs alone were pruned', () => {
  const policy = { ...defaultPolicy, pruneAlone: () => true }
  const settings = { window: { context: 32_000 }, policy }
  const text = 'const value = 1\n'.repeat(400)
  const numbers = Array.from({ length: 24 }, (_, index) => index)
  const compacted = {
    compact: async (steps: number) => compact(hosted.messages.slice(0, 1 + 2 * steps), settings),
    compactChat: async (steps: number) =>
      compactChat(hosted.chat.slice(0, 1 + 2 * steps), settings),
    compactInput: async (steps: number) =>
      compactInput(hosted.input.slice(0, 1 + 2 * steps), settings),
  }
  const hosted = {
    messages: [
      { role: 'user' as const, content: 'Read all.' },
      ...numbers.flatMap((n) => [
        {
          role: 'assistant' as const,
          content: [{ type: 'tool_use' as const, id: `c${n}`, name: 'read', input: {} }],
        },
        {
          role: 'user' as const,
          content: [{ type: 'tool_result' as const, tool_use_id: `c${n}`, content: text }],
        },
      ]),
    ],
    chat: [
      { role: 'user' as const, content: 'Read all.' },
      ...numbers.flatMap((n) => [
        {
          role: 'assistant' as const,
          content: null,
          tool_calls: [
            { id: `c${n}`, type: 'function' as const, function: { name: 'read', arguments: '{}' } },
          ],
        },
        { role: 'tool' as const, tool_call_id: `c${n}`, content: text },
      ]),
    ],
    input: [
      { type: 'message' as const, role: 'user' as const, content: 'Read all.' },
      ...numbers.flatMap((n) => [
        { type: 'function_call' as const, call_id: `c${n}`, name: 'read', arguments: '{}' },
        { type: 'function_call_output' as const, call_id: `c${n}`, output: text },
      ]),
    ],
  }

  it.each(Object.entries(compacted))('is pruned once for each growth: %s', async (_, door) => {
    let before: readonly object[] = []
    let pruned = 0
    for (let steps = 1; steps <= numbers.length; steps++) {
      const { messages, report } = await door(steps)
      if (report.action === 'none') {
        expect(JSON.stringify(messages.slice(0, before.length))).toBe(JSON.stringify(before))
      } else {
        expect(report.action).toBe('prune')
        pruned += 1
      }
      before = messages
    }
    expect(pruned).toBeGreaterThan(0)
    expect(pruned).toBeLessThan(4)
  })
})
