import fc from 'fast-check'
import { describe, test } from 'vitest'
import { aiSdk } from '../formats/ai-sdk/format.ts'
import { aiSdkWire } from './ai-sdk/wire.ts'
import { anthropic } from '../formats/anthropic/format.ts'
import { agentItems, llamaindexMessages } from '../testing/generate/messages/framework-messages.ts'
import { anthropicConversation } from '../testing/generate/messages/anthropic-messages.ts'
import { anthropicWire } from './anthropic/wire.ts'
import { arbitraryModelMessages } from '../testing/generate/messages/model-messages.ts'
import { chatConversation } from '../testing/generate/messages/chat-messages.ts'
import { fieldsRead, langchainWire } from './langchain/wire.ts'
import { geminiConversation } from '../testing/generate/messages/gemini-contents.ts'
import { geminiWire } from './gemini/wire.ts'
import { langchainConversation } from '../testing/generate/messages/langchain-messages.ts'
import { llamaindexWire } from './llamaindex/wire.ts'
import { messagesIn, type Wire } from './wire.ts'
import { openaiAgentsWire } from './openai-agents/wire.ts'
import { openaiChat } from '../formats/openai-chat/format.ts'
import { openaiChatWire } from './openai-chat/wire.ts'
import { openaiResponses } from '../formats/openai-responses/format.ts'
import { openaiResponsesWire } from './openai-responses/write.ts'
import { runs } from '../testing/generate/runs.ts'
import { responsesInput } from '../testing/generate/messages/responses-items.ts'
import { wireConformance, type WireSample } from '../testing/conformance/wire-conformance.ts'
import type { BaseMessage } from '@langchain/core/messages'

function sampled<Value>(arbitrary: fc.Arbitrary<Value>): Value[] {
  return fc.sample(arbitrary, runs(60))
}

const strangers = [null, 7, 'hi', [], { role: 'narrator', content: 'x' }, { type: 'unheard-of' }]

const standing = new Set<unknown>([
  'compaction',
  'compaction_trigger',
  'configuration_update',
  'additional_tools',
])

const said = {
  anthropic: sampled(anthropicConversation),
  chat: sampled(chatConversation),
  responses: sampled(responsesInput),
  gemini: sampled(geminiConversation),
  langchain: sampled(langchainConversation),
  aiSdk: sampled(arbitraryModelMessages),
  agents: sampled(agentItems),
  llamaindex: sampled(llamaindexMessages),
}

function readBy<Native>(wire: Wire<Native>, conversations: readonly (readonly unknown[])[]) {
  return conversations.map((natives) => messagesIn(wire.read(natives as readonly Native[])))
}

/** What is said over each wire, to be said over all others. */
const foreign = [
  ...readBy(anthropicWire, said.anthropic),
  ...readBy(openaiChatWire, said.chat),
  ...readBy(openaiResponsesWire, said.responses),
  ...readBy(geminiWire, said.gemini),
  ...readBy(langchainWire, said.langchain),
  ...readBy(aiSdkWire, said.aiSdk),
  ...readBy(openaiAgentsWire, said.agents),
  ...readBy(llamaindexWire, said.llamaindex),
]

const wires: [string, WireSample<never>][] = [
  ['the Messages API', { wire: anthropicWire, conversations: said.anthropic, format: anthropic }],
  ['Chat Completions', { wire: openaiChatWire, conversations: said.chat, format: openaiChat }],
  [
    'the Responses API',
    {
      wire: openaiResponsesWire,
      conversations: said.responses,
      format: openaiResponses,
      // A file has nobody who would say them again with every request.
      isStanding: ({ type }: { type?: string }) => standing.has(type),
    },
  ],
  ['Gemini’s API', { wire: geminiWire, conversations: said.gemini }],
  [
    'the AI SDK',
    {
      wire: aiSdkWire,
      conversations: said.aiSdk,
      format: aiSdk,
      writes: 'in-its-newest-form',
    },
  ],
  [
    'LangChain',
    {
      wire: langchainWire,
      conversations: said.langchain,
      strangers: [],
      plain: (message: BaseMessage) =>
        fieldsRead(message).map((name) => Reflect.get(message, name) as unknown),
    },
  ],
  ['the Agents SDK', { wire: openaiAgentsWire, conversations: said.agents }],
  ['LlamaIndex', { wire: llamaindexWire, conversations: said.llamaindex }],
].map(([name, sample]) => [
  name as string,
  { strangers, foreign, ...(sample as object) } as unknown as WireSample<never>,
])

describe.each(wires)('%s', (_, sample) => {
  for (const { name, run } of wireConformance(sample)) test(name, run)
})
