import { anthropicWire, compactionUsageOf, usageOf } from '../../wires/anthropic/wire.ts'
import {
  callsOfOne,
  checkHead,
  endedByUser,
  leastOfAnthropic,
} from '../conversation/provider-calls.ts'
import { fieldsOf, objectsOf, textOf } from '../../json/fields.ts'
import { messagesIn } from '../../wires/wire.ts'
import { settled } from './remembered.ts'
import { SummaryFailedError } from '../../compaction/errors.ts'
import type { AnthropicResponse } from './open-conversation.ts'
import type { Prices } from '../../tokens/price-table.ts'
import type { ProviderCompactor } from '../../compaction/provider/provider-compactor.ts'

/** A client of `@anthropic-ai/sdk`, as far as its compaction needs one. */
export interface AnthropicCompactionClient {
  beta: {
    messages: {
      create(
        body: {
          model: string
          max_tokens: number
          system?: string
          /** Of the package's own unions, which only it names. */
          messages: never[]
          tools?: never[]
          context_management: {
            edits: {
              type: 'compact_20260112'
              trigger: { type: 'input_tokens'; value: number }
              pause_after_compaction: true
              instructions?: string
            }[]
          }
          betas: string[]
          stream: false
        },
        options: { signal?: AbortSignal },
      ): PromiseLike<AnthropicResponse>
    }
  }
}

/** The model that the session talks to, and how it compacts. */
export interface AnthropicCompactorOptions {
  model: string
  /** The most that the compaction may take, in tokens; 8,192 by default. */
  maxTokens?: number
  /** Replaces Anthropic's own instruction. */
  instructions?: string
  /** By default the known ones. */
  prices?: Prices
}

const beta = 'compact-2026-01-12'

/**
 * Anthropic's own compaction, `compact_20260112`, for {@link openConversation}: its block stands for
 * the head while Anthropic answers, and our summary beside it for everybody else. Send your requests
 * with the beta `compact-2026-01-12`, without which the API takes no such block.
 * @example
 * const compactor = anthropicCompactor(client, { model: 'claude-opus-4-6' })
 * const conversation = await openConversation({ store, id: 'a', window, system, tools, compactor })
 */
export function anthropicCompactor(
  client: AnthropicCompactionClient,
  { model, maxTokens = 8_192, instructions, prices }: AnthropicCompactorOptions,
): ProviderCompactor {
  const name = `anthropic/${model}`
  return {
    provider: 'anthropic',
    name,
    async compact({ messages, system, tools, tokens }, { signal }) {
      checkHead(tokens)
      const sent = settled(anthropicWire.write(messages), [], 0).flatMap(({ natives }) => natives)
      const call = callsOfOne(model, prices)
      const response = await call.made(
        client.beta.messages.create(
          {
            model,
            max_tokens: maxTokens,
            ...(system && { system }),
            messages: endedByUser(sent) as never[],
            ...(Array.isArray(tools) && tools.length > 0 && { tools: tools as never[] }),
            context_management: {
              edits: [
                {
                  type: 'compact_20260112',
                  trigger: { type: 'input_tokens', value: leastOfAnthropic },
                  pause_after_compaction: true,
                  ...(instructions !== undefined && { instructions }),
                },
              ],
            },
            betas: hasMemory(tools) ? [beta, memoryBeta] : [beta],
            stream: false,
          },
          { ...(signal && { signal }) },
        ),
      )
      const [own] = compactionUsageOf(response.usage)
      const calls = call.answered(own ?? usageOf(response.usage))
      const block = objectsOf(response.content).find(({ type }) => type === 'compaction')
      // With `null` the API says that it failed; it would take such a block for nothing.
      if (!block || !textOf(fieldsOf(block)?.['content'])) {
        throw new SummaryFailedError('the answer holds no compaction', { calls })
      }
      const made = { role: 'assistant' as const, content: [block as { type: string }] }
      return { messages: messagesIn(anthropicWire.read([made])), calls }
    },
  }
}

/** Anthropic's memory tool is known only with the beta of context management. */
function hasMemory(tools: unknown): boolean {
  return objectsOf(tools).some(({ type }) => textOf(type)?.startsWith('memory_') === true)
}

const memoryBeta = 'context-management-2025-06-27'
