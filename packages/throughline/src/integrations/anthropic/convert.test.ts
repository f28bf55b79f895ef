import { anthropicWire } from '../../wires/anthropic/wire.ts'
import type { AnthropicMessage } from '../../wires/anthropic/message.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anthropicConversation } from '../../testing/generate/messages/anthropic-messages.ts'
import { rememberedAnthropic } from './remembered.ts'
import { messagesIn, nativesIn } from '../../wires/wire.ts'
import { runs } from '../../testing/generate/runs.ts'
import type { MessageParam } from '@anthropic-ai/sdk/resources/messages'
import type { Message } from '../../log/message.ts'

const toMessages = (params: readonly AnthropicMessage[]): Message[] =>
  messagesIn(anthropicWire.read(params))
const toMessageParams = (messages: readonly Message[]) => nativesIn(anthropicWire.write(messages))

describe('messages of the Messages API', () => {
  test('come back as they were, also through JSON', () => {
    fc.assert(
      fc.property(anthropicConversation, (params) => {
        const stored = JSON.parse(JSON.stringify(toMessages(params))) as Message[]
        expect(toMessageParams(stored)).toEqual(params)
      }),
      runs(300),
    )
  })

  test('come back as the very objects where nothing has changed', () => {
    fc.assert(
      fc.property(anthropicConversation, (params) => {
        const messages = messagesIn(rememberedAnthropic.read(params))
        expect(messagesIn(rememberedAnthropic.read(params))).toEqual(messages)
        // The engine makes a new message where it leaves out a part, of the same other parts.
        const copies = messages.map((message) =>
          typeof message.content === 'string' || message.content.length === 0
            ? message
            : ({ ...message, content: [...message.content] } as Message),
        )
        const back = nativesIn(rememberedAnthropic.write(copies))
        expect(back.every((param, index) => param === params[index])).toBe(true)
      }),
      runs(100),
    )
  })

  test('a message that was changed in place is read again', () => {
    const param: MessageParam = { role: 'user', content: [{ type: 'text', text: 'one' }] }
    const [before] = messagesIn(rememberedAnthropic.read([param]))
    param.content = [{ type: 'text', text: 'two' }]
    const [after] = messagesIn(rememberedAnthropic.read([param]))
    expect([before?.content, after?.content]).toEqual([
      [{ type: 'text', text: 'one' }],
      [{ type: 'text', text: 'two' }],
    ])
  })

  test.each([
    ['messages[0]', [{ role: 'robot', content: 'x' }]],
    ['messages[1]', [{ role: 'user', content: 'x' }, { role: 'user' }]],
    ['messages[0].content[1]', [{ role: 'user', content: [{ type: 'text', text: 'x' }, 'y'] }]],
    [
      'messages[0].content[0].input.made',
      [
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'a', name: 'b', input: { made: new Date() } }],
        },
      ],
    ],
    ['messages[0].content[0].at', [{ role: 'user', content: [{ type: 'x', at: 1n }] }]],
  ])('what cannot be kept is refused at %s', (place, params) => {
    expect(() => toMessages(params as never)).toThrow(
      expect.objectContaining({ code: 'MESSAGE_CONVERSION', place }),
    )
  })
})

describe('messages of a session', () => {
  test('that came from elsewhere become blocks', () => {
    const messages: Message[] = [
      {
        role: 'user',
        content: [
          { type: 'image', image: new Uint8Array([1, 2]), mediaType: 'image/png' },
          { type: 'file', data: 'https://a.test/x.pdf', mediaType: 'application/pdf' },
        ],
      },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'read', input: {} }],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'a',
            toolName: 'read',
            output: { type: 'execution-denied', reason: 'no' },
          },
        ],
      },
    ]
    expect(toMessageParams(messages)).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AQI=' } },
          { type: 'document', source: { type: 'url', url: 'https://a.test/x.pdf' } },
        ],
      },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'read', input: {} }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'a', content: 'no', is_error: true }],
      },
    ])
  })

  test.each<[string, Message]>([
    ['reasoning', { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }] }],
    ['audio', { role: 'user', content: [{ type: 'file', data: 'AA', mediaType: 'audio/wav' }] }],
    [
      'approval',
      {
        role: 'assistant',
        content: [{ type: 'tool-approval-request', approvalId: 'a', toolCallId: 'b' }],
      },
    ],
  ])('that the API cannot say are refused, and where: %s', (_, message) => {
    expect(() => toMessageParams([message])).toThrow(
      expect.objectContaining({ code: 'MESSAGE_CONVERSION', place: 'messages[0].content[0]' }),
    )
  })
})
