import { anthropicSummarizer } from '../../../../integrations/anthropic/summarizer.ts'
import { openaiSummarizer } from '../../../../integrations/openai/summarizer.ts'
import { CommandError } from '../../../errors.ts'
import { askJson } from './http-client.ts'
import { packageSummarizer } from './package-summarizer.ts'
import type { AnthropicResponse } from '../../../../integrations/anthropic/answer.ts'
import type { ChatResponse } from '../../../../integrations/openai/chat/open-chat.ts'
import type { Summarizer } from '../../../../compaction/summary/with-model/summarizer.ts'
import type { ChosenModel } from './chosen-model.ts'

/**
 * The summarizer for a model.
 * @throws CommandError if the package that it needs isn't installed.
 */
export async function summarizerFor(chosen: ChosenModel): Promise<Summarizer> {
  const summarizer =
    chosen.type === 'package'
      ? await packageSummarizer(chosen)
      : chosen.wire === 'anthropic'
        ? anthropic(chosen)
        : openai(chosen)
  return once(summarizer)
}

type AtServer = Extract<ChosenModel, { type: 'http' }>

function anthropic({ model, baseUrl, key }: AtServer): Summarizer {
  const url = `${baseUrl.replace(/\/v1$/, '')}/v1/messages`
  const headers = {
    'anthropic-version': '2023-06-01',
    ...(key !== undefined && { 'x-api-key': key }),
  }
  return anthropicSummarizer(
    {
      messages: {
        create: async (body, { signal }) =>
          (await askJson({ url, headers, body, signal })) as AnthropicResponse,
      },
    },
    { model },
  )
}

function openai({ model, baseUrl, key }: AtServer): Summarizer {
  const url = `${baseUrl}/chat/completions`
  const headers: Record<string, string> =
    key === undefined ? {} : { authorization: `Bearer ${key}` }
  return openaiSummarizer(
    {
      chat: {
        completions: {
          async create({ max_completion_tokens, ...body }, { signal }) {
            // Only OpenAI's newer models refuse the older name, which all other servers know.
            const limit = isOpenai(baseUrl)
              ? { max_completion_tokens }
              : { max_tokens: max_completion_tokens }
            const answer = await askJson({ url, headers, body: { ...body, ...limit }, signal })
            return checkedChat(answer)
          },
        },
      },
    },
    { model },
  )
}

function isOpenai(baseUrl: string): boolean {
  return new URL(baseUrl).hostname === 'api.openai.com'
}

function checkedChat(answer: unknown): ChatResponse {
  const isChat = typeof answer === 'object' && answer !== null && 'choices' in answer
  if (isChat && Array.isArray(answer.choices)) return answer as ChatResponse
  throw new CommandError('the server’s answer is no chat completion. Does its address end in /v1?')
}

/**
 * Where a summary has to become shorter to fit `--keep`, it is cut and not asked for again: that
 * would cost as much as the first one.
 */
function once(summarizer: Summarizer): Summarizer {
  const known = new Map<string, Awaited<ReturnType<Summarizer['summarize']>>>()
  return {
    name: summarizer.name,
    async summarize(request, options) {
      const key = `${request.through} ${request.head.length} ${request.attempt}`
      const before = known.get(key)
      if (before) return { ...before, calls: before.calls ?? [] }
      const answer = await summarizer.summarize(request, options)
      known.set(key, answer)
      return answer
    },
  }
}
