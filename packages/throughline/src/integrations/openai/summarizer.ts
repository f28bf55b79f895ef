import { fieldsOf, objectsOf, textOf } from '../../json/fields.ts'
import { finishOf, usageOf } from '../../wires/openai-chat/wire.ts'
import {
  headSummarizer,
  type AskModel,
  type HeadSummarizerOptions,
} from '../conversation/head-summarizer.ts'
import type { ChatResponse } from './chat/open-chat.ts'
import type { Summarizer } from '../../compaction/summary/with-model/summarizer.ts'

/** A client of the `openai` package, as far as a summary needs one. */
export interface OpenAIClient {
  chat: {
    completions: {
      create(
        body: {
          model: string
          max_completion_tokens: number
          messages: { role: 'system' | 'user'; content: string }[]
          stream: false
        },
        options: { signal?: AbortSignal },
      ): PromiseLike<ChatResponse>
    }
  }
}

/** The model to ask, and what is known about it. */
export interface OpenAISummarizerOptions extends HeadSummarizerOptions {
  model: string
}

/**
 * Summaries by a model behind the Chat Completions API, through your own client; a small one is
 * enough. The session checks and repairs its summaries, and manages without it if it fails.
 * @example
 * const summarizer = openaiSummarizer(client, { model: 'gpt-5-mini' })
 */
export function openaiSummarizer(
  client: OpenAIClient,
  { model, ...options }: OpenAISummarizerOptions,
): Summarizer {
  return headSummarizer(model, askOpenai(client, model), options)
}

/** Asks a model behind the Chat Completions API a question without tools. */
export function askOpenai(client: OpenAIClient, model: string): AskModel {
  return async ({ system, prompt, maxTokens, signal }) => {
    const response = await client.chat.completions.create(
      {
        model,
        max_completion_tokens: maxTokens,
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: prompt },
        ],
        stream: false,
      },
      { ...(signal && { signal }) },
    )
    const [choice] = response.choices
    const message = fieldsOf(choice?.message)
    const finish = finishOf(choice?.finish_reason) ?? 'other'
    const usage = usageOf(response.usage)
    const called = objectsOf(message?.['tool_calls']).length > 0
    return {
      text: textOf(message?.['content']) ?? '',
      finish: called ? 'tool-calls' : finish === 'aborted' ? 'other' : finish,
      ...(usage && { usage }),
    }
  }
}
