import { finishOf, usageOf } from '../../wires/anthropic/wire.ts'
import {
  headSummarizer,
  type AskModel,
  type HeadSummarizerOptions,
} from '../conversation/head-summarizer.ts'
import type { AnthropicResponse } from './open-conversation.ts'
import type { Summarizer } from '../../compaction/summary/with-model/summarizer.ts'
import { objectsOf, textOf } from '../../json/fields.ts'

/** A client of `@anthropic-ai/sdk`, as far as a summary needs one. */
export interface AnthropicClient {
  messages: {
    create(
      body: {
        model: string
        max_tokens: number
        system: string
        messages: { role: 'user'; content: string }[]
        stream: false
      },
      options: { signal?: AbortSignal },
    ): PromiseLike<AnthropicResponse>
  }
}

/** The model to ask, and what is known about it. */
export interface AnthropicSummarizerOptions extends HeadSummarizerOptions {
  model: string
}

/**
 * Summaries by one of Anthropic's models, through your own client; a small one is enough. The
 * session checks and repairs its summaries, and manages without it if it fails.
 * @example
 * const summarizer = anthropicSummarizer(client, { model: 'claude-haiku-4-5' })
 */
export function anthropicSummarizer(
  client: AnthropicClient,
  { model, ...options }: AnthropicSummarizerOptions,
): Summarizer {
  return headSummarizer(model, askAnthropic(client, model), options)
}

/** Asks one of Anthropic's models a question without tools. */
export function askAnthropic(client: AnthropicClient, model: string): AskModel {
  return async ({ system, prompt, maxTokens, signal }) => {
    const response = await client.messages.create(
      {
        model,
        max_tokens: maxTokens,
        system,
        messages: [{ role: 'user', content: prompt }],
        stream: false,
      },
      { ...(signal && { signal }) },
    )
    const finish = finishOf(response.stop_reason) ?? 'other'
    const usage = usageOf(response.usage)
    return {
      text: textIn(response.content),
      finish: finish === 'aborted' ? 'other' : finish,
      ...(usage && { usage }),
    }
  }
}

function textIn(content: readonly unknown[]): string {
  return objectsOf(content)
    .flatMap((block) => (block['type'] === 'text' ? [textOf(block['text']) ?? ''] : []))
    .join('')
}
