import { langchainWire } from '../../wires/langchain/wire.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  AIMessage,
  HumanMessage,
  RemoveMessage,
  ToolMessage,
  type BaseMessage,
} from '@langchain/core/messages'
import { langchainConversation } from '../../testing/generate/messages/langchain-messages.ts'
import { rememberedLangchain } from './thread.ts'
import { messagesIn, nativesIn } from '../../wires/wire.ts'
import { runs } from '../../testing/generate/runs.ts'
import type { Message } from '../../log/message.ts'

const fromLangChainMessages = (messages: readonly BaseMessage[]): Message[] =>
  messagesIn(langchainWire.read(messages))
const toLangChainMessages = (messages: readonly Message[]) =>
  nativesIn(langchainWire.write(messages))

/** All that a message is. */
function whole(message: BaseMessage): unknown {
  return JSON.parse(JSON.stringify({ ...message, lc_kwargs: undefined, kind: message.getType() }))
}

describe('messages of LangChain', () => {
  test('come back as they were, also through JSON', () => {
    fc.assert(
      fc.property(langchainConversation, (messages) => {
        const before = messages.map(whole)
        const stored = JSON.parse(JSON.stringify(fromLangChainMessages(messages))) as Message[]
        const back = toLangChainMessages(stored)
        expect(back.map(whole)).toEqual(before)
        expect(back.map(({ constructor }) => constructor)).toEqual(
          messages.map(({ constructor }) => constructor),
        )
      }),
      runs(80),
    )
  })

  test('come back as the very objects where nothing has changed', () => {
    fc.assert(
      fc.property(langchainConversation, (messages) => {
        const back = nativesIn(
          rememberedLangchain.write(messagesIn(rememberedLangchain.read(messages))),
        )
        expect(back.every((message, index) => message === messages[index])).toBe(true)
      }),
      runs(100),
    )
  })

  test('have their calls and results in our own words', () => {
    const messages = fromLangChainMessages([
      new AIMessage({
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'a', name: 'read', input: { path: 'x' } },
        ],
        tool_calls: [{ id: 'a', name: 'read', args: { path: 'x' } }],
      }),
      new ToolMessage({ tool_call_id: 'a', content: 'ENOENT', status: 'error' }),
    ])
    expect(messages).toMatchObject([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: { path: 'x' } },
        ],
      },
      {
        role: 'tool',
        content: [
          { toolCallId: 'a', toolName: 'read', output: { type: 'error-text', value: 'ENOENT' } },
        ],
      },
    ])
  })

  test.each<[string, BaseMessage]>([
    ['messages[0]', new RemoveMessage({ id: 'a' })],
    [
      'messages[0].artifact',
      new ToolMessage({ tool_call_id: 'a', content: '', artifact: new Map() }),
    ],
    [
      'messages[0].additional_kwargs.made',
      new HumanMessage({ content: '', additional_kwargs: { made: new Date() } }),
    ],
  ])('what cannot be kept is refused at %s', (place, message) => {
    expect(() => fromLangChainMessages([message])).toThrow(
      expect.objectContaining({ code: 'MESSAGE_CONVERSION', place }),
    )
  })

  test('what LangChain cannot say is refused, and where', () => {
    const message: Message = { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }] }
    expect(() => toLangChainMessages([message])).toThrow(
      expect.objectContaining({ code: 'MESSAGE_CONVERSION', place: 'messages[0].content[0]' }),
    )
  })
})
