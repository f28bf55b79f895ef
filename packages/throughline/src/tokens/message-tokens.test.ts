import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { estimateTokens } from './estimate.ts'
import { mediaTokens, createMessageCounter, messageTokens } from './message-tokens.ts'
import type { AssistantPart, Message, ToolOutput } from '../log/message.ts'

const letters = (text: string): number => text.length

function callWith(input: unknown): Message {
  return {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'edit', input }],
  }
}

function resultWith(output: ToolOutput): Message {
  return {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'edit', output }],
  }
}

describe('a message', () => {
  test('counts its text and what the format costs', () => {
    const message: Message = { role: 'user', content: 'Fix the login page.' }
    expect(messageTokens(message, estimateTokens)).toBe(11)
    expect(messageTokens(message, letters)).toBe(6 + 19)
    const parts: Message = {
      role: 'user',
      content: [{ type: 'text', text: 'Fix the login page.' }],
    }
    expect(messageTokens(parts, letters)).toBe(6 + 19)
  })

  test('counts reasoning, since it is sent back', () => {
    const content: AssistantPart[] = [{ type: 'reasoning', text: 'hmm' }]
    expect(messageTokens({ role: 'assistant', content }, letters)).toBe(6 + 3)
  })

  test("counts a tool call's input as the JSON on the wire", () => {
    const input = { path: 'a.ts', text: 'say "hi"\n' }
    const json = JSON.stringify(input)
    expect(messageTokens(callWith(input), letters)).toBe(6 + 16 + 'edit'.length + json.length)
    expect(messageTokens(callWith('raw patch'), letters)).toBe(6 + 16 + 4 + 9)
  })

  test('counts every kind of tool output', () => {
    const outputs: [ToolOutput, number][] = [
      [{ type: 'text', value: 'done' }, 4],
      [{ type: 'error-text', value: 'no' }, 2],
      [{ type: 'json', value: { ok: true } }, '{"ok":true}'.length],
      [{ type: 'error-json', value: [1] }, 3],
      [{ type: 'execution-denied', reason: 'not now' }, 7],
      [{ type: 'execution-denied' }, 0],
      [{ type: 'content', value: [{ type: 'text', text: 'two' }] }, 3],
    ]
    for (const [output, tokens] of outputs) {
      expect(messageTokens(resultWith(output), letters)).toBe(9 + tokens)
    }
  })

  test('of several results costs each of them', () => {
    const [result] = resultWith({ type: 'text', value: 'done' }).content as never[]
    const message = { role: 'tool', content: [result, result] } as unknown as Message
    expect(messageTokens(message, letters)).toBe(2 * (9 + 4))
  })
})

describe('media', () => {
  const base64 = 'iVBORw0KGgo'.repeat(100_000)

  test('never count as the text that their base64 looks like', () => {
    const count = (text: string): number => {
      if (text.length > 1_000) throw new Error('counted base64')
      return text.length
    }
    const data = [
      base64,
      `data:image/png;base64,${base64}`,
      new Uint8Array(1e6),
      new URL('https://a.b/c.png'),
    ]
    for (const image of data) {
      const message: Message = { role: 'user', content: [{ type: 'image', image }] }
      expect(messageTokens(message, count)).toBe(6 + 1_500)
    }
    const output: ToolOutput = {
      type: 'content',
      value: [
        { type: 'text', text: 'a screenshot' },
        { type: 'image-data', data: base64, mediaType: 'image/png' },
        { type: 'media', data: base64, mediaType: 'image/jpeg' },
        { type: 'image-url', url: 'https://a.b/c.png' },
      ],
    }
    expect(messageTokens(resultWith(output), count)).toBe(9 + 12 + 3 * 1_500)
  })

  test('count by kind and size', () => {
    expect(mediaTokens('image/png', 2_000_000)).toBe(1_500)
    expect(mediaTokens('application/pdf', 200_000)).toBe(8_000)
    const file = (mediaType: string, bytes: number): number =>
      messageTokens(
        { role: 'user', content: [{ type: 'file', mediaType, data: new Uint8Array(bytes) }] },
        letters,
      ) - 6
    expect(file('application/pdf', 10_000)).toBe(2_000)
    expect(file('application/pdf', 500_000)).toBe(20_000)
    expect(file('audio/mpeg', 16_000 * 60)).toBe(32 * 60)
    expect(file('text/plain', 37_000)).toBe(10_000)
    expect(file('image/png', 5_000_000)).toBe(1_500)
  })
})

describe('odd content', () => {
  test('is counted, never thrown at', () => {
    const cycle: Record<string, unknown> = { path: 'a.ts' }
    cycle['self'] = cycle
    const trap = Object.defineProperty({}, 'secret', {
      enumerable: true,
      get: () => {
        throw new Error('no')
      },
    })
    let deep: unknown = 'end'
    for (let level = 0; level < 200_000; level++) deep = [deep]
    const odd = [
      cycle,
      trap,
      deep,
      10n,
      { n: 1n },
      undefined,
      null,
      new Uint8Array(9),
      new URL('a:b'),
    ]
    for (const input of [...odd, Symbol('s'), () => 1, Number.NaN, new Map([[1, 2]])]) {
      expect(messageTokens(callWith(input), estimateTokens)).toBeGreaterThan(16)
      const output = { type: 'json', value: input } as ToolOutput
      expect(messageTokens(resultWith(output), estimateTokens)).toBeGreaterThanOrEqual(9)
    }
    expect(messageTokens(callWith(cycle), letters)).toBe(6 + 16 + 4 + '{"path":"a.ts"}'.length)
  })

  test('of any shape gives a finite number', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withTypedArray: true }), (content) => {
        for (const role of ['user', 'assistant', 'tool']) {
          for (const value of [content, [content], [{ type: 'tool-result', output: content }]]) {
            const message = { role, content: value } as unknown as Message
            expect(Number.isFinite(messageTokens(message, estimateTokens))).toBe(true)
          }
        }
      }),
    )
  })

  test('of bytes within an input costs no more than a line', () => {
    expect(messageTokens(callWith({ data: new Uint8Array(1e6) }), estimateTokens)).toBeLessThan(50)
  })
})

test('a counter counts each message once', () => {
  let counts = 0
  const tokens = createMessageCounter((text) => {
    counts++
    return text.length
  })
  const message: Message = { role: 'user', content: 'Fix the login page.' }
  expect(tokens(message)).toBe(25)
  expect(tokens(message)).toBe(25)
  expect(counts).toBe(1)
  expect(tokens({ ...message })).toBe(25)
  expect(counts).toBe(2)
})
