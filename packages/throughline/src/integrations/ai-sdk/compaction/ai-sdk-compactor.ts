import { generateText, jsonSchema, tool, type LanguageModel, type ToolSet } from 'ai'
import {
  callsOfOne,
  checkHead,
  endedByUser,
  leastOfAnthropic,
} from '../../conversation/provider-calls.ts'
import { checkAiSdk } from '../peer-version-error.ts'
import { compactingProvider, optionsName } from './compacting-provider.ts'
import { fieldsOf, nameOf, objectsOf, textOf } from '../../../json/fields.ts'
import { fromModelMessages } from '../model-messages.ts'
import { InvalidEntryError } from '../../../log/invalid-entry-error.ts'
import { modelPrompt } from '../summary/model-prompt.ts'
import { providerCompactionIn } from '../../../log/context/provider-compaction.ts'
import { SummaryFailedError } from '../../../compaction/errors.ts'
import { usageOf } from '../usage.ts'
import type { Message } from '../../../log/message.ts'
import type { Prices } from '../../../tokens/price-table.ts'
import type { ProviderCompactor } from '../../../compaction/provider/provider-compactor.ts'
import type { SummarySettings } from '../summary/summary-model.ts'

/** The model that the agent talks to, and how its provider compacts. */
export interface AiSdkCompactorOptions {
  /** Of `@ai-sdk/openai` (the Responses API) or `@ai-sdk/anthropic`. */
  model: Exclude<LanguageModel, string>
  /** The most that the compaction may take, in tokens; 8,192 by default. */
  maxOutputTokens?: number
  /** What the agent's own requests have: `{ openai: { store: false } }`. */
  providerOptions?: NonNullable<SummarySettings['providerOptions']>
  /** By default the known ones. */
  prices?: Prices
}

/**
 * A provider's own compaction through its AI SDK package, for `aiSdkCompaction` and for sessions that
 * `run` with `aiSdkStep`: what the provider makes stands for the head while it answers, and our
 * summary beside it for everybody else. OpenAI is asked with a `compaction_trigger`, Anthropic with
 * `compact_20260112`; the beta that Anthropic wants to see again is sent for you.
 * @throws InvalidEntryError for a model of any other API.
 * @example
 * const model = openai.responses('gpt-5.4')
 * const compaction = aiSdkCompaction({ store, id: 'a', model, compactor: aiSdkCompactor({ model }) })
 */
export function aiSdkCompactor({
  model,
  maxOutputTokens = 8_192,
  providerOptions = {},
  prices,
}: AiSdkCompactorOptions): ProviderCompactor {
  checkAiSdk()
  const provider = compactingProvider(model)
  if (!provider) {
    const expected = 'a model of @ai-sdk/openai (Responses API) or of @ai-sdk/anthropic'
    throw new InvalidEntryError({ field: 'model', value: model.provider, expected })
  }
  const asked = optionsName(model, provider)
  return {
    provider,
    name: `${provider}/${model.modelId}`,
    async compact({ messages, system, tools, tokens }, { signal }) {
      if (provider === 'anthropic') checkHead(tokens)
      const { instructions, messages: sent } = modelPrompt({ system, messages })
      const call = callsOfOne(model.modelId, prices)
      const result = await call.made(
        generateText({
          model,
          // AI SDK 6 has no other name for it.
          ...(instructions && { system: instructions }),
          messages: provider === 'anthropic' ? endedByUser(sent) : sent,
          tools: toolSet(tools),
          maxOutputTokens,
          providerOptions: {
            ...providerOptions,
            [asked]: { ...providerOptions[asked], ...(request[provider] as object) },
          },
          ...(signal && { abortSignal: signal }),
        }),
      )
      const calls = call.answered(usageOf(result.usage))
      const made = fromModelMessages(result.response.messages).flatMap(compactionAlone)
      if (made.length === 0)
        throw new SummaryFailedError('the answer holds no compaction', { calls })
      return { messages: made.slice(-1), calls }
    },
  }
}

/** How each is asked, in the words of its package. */
const request = {
  openai: { compactionTrigger: true },
  anthropic: {
    contextManagement: {
      edits: [
        {
          type: 'compact_20260112',
          trigger: { type: 'input_tokens', value: leastOfAnthropic },
          pauseAfterCompaction: true,
        },
      ],
    },
  },
}

/** The tools as a session knows them. Nothing is called here. */
function toolSet(tools: unknown): ToolSet {
  return Object.fromEntries(
    objectsOf(tools).flatMap((given) => {
      const name = nameOf(given['name'])
      if (name === undefined || given['type'] === 'provider') return []
      const description = textOf(given['description'])
      const inputSchema = jsonSchema(fieldsOf(given['inputSchema']) ?? { type: 'object' })
      return [[name, tool({ inputSchema, ...(description !== undefined && { description }) })]]
    }),
  )
}

/** What the provider made, without what its model may have said behind it. */
function compactionAlone(message: Message): Message[] {
  const index = providerCompactionIn(message)
  if (index === undefined || message.role !== 'assistant') return []
  return typeof message.content === 'string'
    ? [message]
    : [{ role: 'assistant', content: message.content.slice(index, index + 1) }]
}
