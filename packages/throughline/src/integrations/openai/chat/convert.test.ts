import { openaiChatWire } from '../../../wires/openai-chat/wire.ts'
import type { ChatMessage } from '../../../wires/openai-chat/message.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chatConversation } from '../../../testing/generate/messages/chat-messages.ts'
import { rememberedChat } from './open-chat.ts'
import { messagesIn, nativesIn } from '../../../wires/wire.ts'
import { runs } from '../../../testing/generate/runs.ts'
import type { Message } from '../../../log/message.ts'

const fromChatMessages = (params: readonly ChatMessage[]): Message[] =>
  messagesIn(openaiChatWire.read(params))
const toChatMessages = (messages: readonly Message[]) => nativesIn(openaiChatWire.write(messages))

describe('messages of Chat Completions', () => {
  test('come back as they were, also through JSON', () => {
    fc.assert(
      fc.property(chatConversation, (params) => {
        const stored = JSON.parse(JSON.stringify(fromChatMessages(params))) as Message[]
        expect(toChatMessages(stored)).toEqual(params)
      }),
      runs(300),
    )
  })

  test('come back as the very objects where nothing has changed', () => {
    fc.assert(
      fc.property(chatConversation, (params) => {
        const back = nativesIn(rememberedChat.write(messagesIn(rememberedChat.read(params))))
        expect(back.every((param, index) => param === params[index])).toBe(true)
      }),
      runs(100),
    )
  })

  test('what the engine says becomes plain messages, and is known again', () => {
    const messages: Message[] = [
      { role: 'user', content: 'continue' },
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: { path: 'x' } },
          { type: 'tool-call', toolCallId: 'b', toolName: 'read', input: { path: 'y' } },
        ],
      },
      {
        role: 'tool',
        content: ['a', 'b'].map((toolCallId) => ({
          type: 'tool-result' as const,
          toolCallId,
          toolName: 'read',
          output: { type: 'error-text' as const, value: 'gone' },
        })),
      },
    ]
    const natives = nativesIn(rememberedChat.write(messages))
    expect(natives.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool'])
    expect(natives[1]).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'read', arguments: '{"path":"x"}' } },
        { id: 'b', type: 'function', function: { name: 'read', arguments: '{"path":"y"}' } },
      ],
    })
    expect(messagesIn(rememberedChat.read(natives))).toEqual(messages)
  })

  test.each([
    ['messages[0]', [{ role: 'robot', content: 'x' }]],
    ['messages[0]', [{ role: 'user' }]],
    ['messages[0]', [{ role: 'tool', content: 'x' }]],
    ['messages[0].tool_calls[0]', [{ role: 'assistant', tool_calls: [{ type: 'function' }] }]],
    ['messages[0].content[0].at', [{ role: 'user', content: [{ type: 'x', at: () => 1 }] }]],
  ])('what cannot be kept is refused at %s', (place, params) => {
    expect(() => fromChatMessages(params as never)).toThrow(
      expect.objectContaining({ code: 'MESSAGE_CONVERSION', place }),
    )
  })

  test.each<[string, Message]>([
    ['reasoning', { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }] }],
    [
      'a film',
      {
        role: 'user',
        content: [{ type: 'file', data: 'http://a.test/x', mediaType: 'video/mp4' }],
      },
    ],
  ])('what the API cannot say is refused, and where: %s', (_, message) => {
    expect(() => toChatMessages([message])).toThrow(
      expect.objectContaining({ code: 'MESSAGE_CONVERSION', place: 'messages[0].content[0]' }),
    )
  })
})
