import { expectTypeOf, test } from 'vitest'
import type { ChatCompletion, ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type {
  Response,
  ResponseInputItem,
  ResponseOutputItem,
} from 'openai/resources/responses/responses'
import type { ChatMessage } from '../../wires/openai-chat/message.ts'
import type { ChatResponse, openChat } from './chat/open-chat.ts'
import type { compactChat } from './chat/compact.ts'
import type { compactInput } from './responses/compact.ts'
import type { openResponses, ResponsesResponse } from './responses/open-responses.ts'
import type { ResponsesItem } from '../../wires/openai-responses/calls.ts'

test('the types of Chat Completions go in and come out', () => {
  expectTypeOf<ChatCompletionMessageParam>().toExtend<ChatMessage>()
  expectTypeOf<ChatCompletion>().toExtend<ChatResponse>()
  type Shorter = Awaited<ReturnType<typeof compactChat<ChatCompletionMessageParam>>>
  expectTypeOf<Shorter['messages']>().toEqualTypeOf<ChatCompletionMessageParam[]>()
  type Chat = Awaited<ReturnType<typeof openChat<ChatCompletionMessageParam>>>
  expectTypeOf<ReturnType<Chat['messages']>>().toEqualTypeOf<ChatCompletionMessageParam[]>()
})

test('the types of the Responses API go in and come out', () => {
  expectTypeOf<ResponseInputItem>().toExtend<ResponsesItem>()
  expectTypeOf<ResponseOutputItem>().toExtend<ResponsesItem>()
  expectTypeOf<Response>().toExtend<ResponsesResponse>()
  type Shorter = Awaited<ReturnType<typeof compactInput<ResponseInputItem>>>
  expectTypeOf<Shorter['messages']>().toEqualTypeOf<ResponseInputItem[]>()
  type Conversation = Awaited<ReturnType<typeof openResponses<ResponseInputItem>>>
  expectTypeOf<ReturnType<Conversation['messages']>>().toEqualTypeOf<ResponseInputItem[]>()
})
