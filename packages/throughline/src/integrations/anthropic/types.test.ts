import { expectTypeOf, test } from 'vitest'
import type { BetaMessage, BetaMessageParam } from '@anthropic-ai/sdk/resources/beta/messages'
import type { Message, MessageParam, TextBlockParam } from '@anthropic-ai/sdk/resources/messages'
import type { AnthropicMessage } from '../../wires/anthropic/message.ts'
import type { AnthropicResponse, openConversation } from './open-conversation.ts'
import type { compact, SystemPrompt } from './compact.ts'

test('the types of the SDK go in and come out', () => {
  expectTypeOf<MessageParam>().toExtend<AnthropicMessage>()
  expectTypeOf<BetaMessageParam>().toExtend<AnthropicMessage>()
  expectTypeOf<Message>().toExtend<AnthropicMessage>()
  expectTypeOf<Message>().toExtend<AnthropicResponse>()
  expectTypeOf<BetaMessage>().toExtend<AnthropicResponse>()
  expectTypeOf<TextBlockParam[]>().toExtend<SystemPrompt>()
  type Shorter = Awaited<ReturnType<typeof compact<MessageParam>>>
  expectTypeOf<Shorter['messages']>().toEqualTypeOf<MessageParam[]>()
  type Conversation = Awaited<ReturnType<typeof openConversation<BetaMessageParam>>>
  expectTypeOf<ReturnType<Conversation['messages']>>().toEqualTypeOf<BetaMessageParam[]>()
})
