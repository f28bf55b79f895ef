import { askAnthropic } from '../../../../integrations/anthropic/summarizer.ts'
import { askOpenai } from '../../../../integrations/openai/summarizer.ts'
import { refusedIn } from '../../../../compaction/summary/with-model/refused.ts'
import { CommandError, codeOf } from '../../../errors.ts'
import { setTimeout as pause } from 'node:timers/promises'
import {
  fieldsOf,
  textOf,
  countOf,
  objectsOf,
  type Fields,
  parsedJson,
} from '../../../../json/fields.ts'
import { sanitizeLine } from '../../../../log/sanitize.ts'
import {
  headSummarizer,
  type AskModel,
} from '../../../../integrations/conversation/head-summarizer.ts'
import type { AnthropicResponse } from '../../../../integrations/anthropic/open-conversation.ts'
import type { ChatResponse } from '../../../../integrations/openai/chat/open-chat.ts'
import type {
  Summarizer,
  SummaryAnswer,
} from '../../../../compaction/summary/with-model/summarizer.ts'
import type { ChosenModel } from './chosen-model.ts'
import type { Usage } from '../../../../log/entry.ts'

/** A model of the AI SDK, as its providers make one: the part that all versions have in common. */
interface SdkModel {
  doGenerate: (options: {
    prompt: readonly object[]
    maxOutputTokens: number
    abortSignal?: AbortSignal
  }) => PromiseLike<unknown>
}

/**
 * Asks a provider of the AI SDK, whose package is loaded from where Throughline is
 * installed: never from the working directory.
 * @throws CommandError if it isn't installed, or isn't such a provider.
 */
async function packageAsker({
  provider,
  model,
}: Extract<ChosenModel, { type: 'package' }>): Promise<AskModel> {
  const name = `@ai-sdk/${provider}`
  const made = modelOf(await loaded(name), provider, model)
  if (!made) {
    throw new CommandError(`${name} makes no model ${JSON.stringify(model)} by its name.`)
  }
  return async ({ system, prompt, maxTokens, signal }) =>
    answerIn(
      await made.doGenerate({
        prompt: [
          { role: 'system', content: system },
          { role: 'user', content: [{ type: 'text', text: prompt }] },
        ],
        maxOutputTokens: maxTokens,
        ...(signal && { abortSignal: signal }),
      }),
    )
}

async function loaded(name: string): Promise<Fields> {
  try {
    return (await import(name)) as Fields
  } catch (cause) {
    if (codeOf(cause) !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new CommandError(
      `${name} is not installed with Throughline. To install it: npm install -g ${name}`,
      { cause },
    )
  }
}

/** Each package exports its provider by its own name: `cohere`, `amazonBedrock` as `bedrock`. */
function modelOf(exports: Fields, provider: string, model: string): SdkModel | undefined {
  const camel = provider.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
  const last = provider.split('-').at(-1) ?? provider
  const make = exports[camel] ?? exports[last] ?? exports['default']
  if (typeof make !== 'function') return undefined
  const made: unknown = make(model)
  return fieldsOf(made) && typeof fieldsOf(made)?.['doGenerate'] === 'function'
    ? (made as SdkModel)
    : undefined
}

/** An answer of any version: older ones have plain values where newer ones have objects. */
function answerIn(answer: unknown): Omit<SummaryAnswer, 'calls'> {
  const fields = fieldsOf(answer) ?? {}
  const parts = objectsOf(fields['content'])
  const text = parts.map((part) => (part['type'] === 'text' ? (textOf(part['text']) ?? '') : ''))
  const called = parts.some((part) => part['type'] === 'tool-call')
  const usage = usageIn(fieldsOf(fields['usage']))
  const reason = fieldsOf(fields['finishReason'])?.['unified'] ?? fields['finishReason']
  return {
    text: text.join(''),
    finish: called ? 'tool-calls' : (finishes.find((each) => each === reason) ?? 'other'),
    ...(usage && { usage }),
  }
}

const finishes = ['stop', 'length', 'content-filter', 'error'] as const

function usageIn(usage: Fields | undefined): Usage | undefined {
  const input = amount(usage?.['inputTokens'])
  const output = amount(usage?.['outputTokens'])
  if (input === undefined || output === undefined) return undefined
  return { inputTokens: input, outputTokens: output }
}

function amount(value: unknown): number | undefined {
  return countOf(value) ?? countOf(fieldsOf(value)?.['total'])
}

interface JsonRequest {
  url: string
  headers: Readonly<Record<string, string>>
  body: unknown
  signal: AbortSignal | undefined
}

const tries = 3
// A longer wait is worse than a summary without a model.
const longestPause = 20_000

/**
 * Sends a request, and again if the server is busy.
 * @throws Error whose message says in one line what the server said.
 */
async function askJson(request: JsonRequest): Promise<unknown> {
  const { url, signal } = request
  for (let attempt = 1; ; attempt++) {
    const { response, text } = await send(request)
    const json = parsedJson(text)
    if (response.ok && json !== undefined) return json
    const { status, headers } = response
    const isBusy = status >= 500 || (status === 429 && !refusedIn({ status, body: json }))
    const wait = waitOf(headers) ?? 1000 * 2 ** (attempt - 1)
    if (!isBusy || attempt === tries || wait > longestPause) {
      const said = sanitizeLine(messageIn(json) ?? text.slice(0, 200)).slice(0, 300)
      // With its status and its body, as other clients' errors have them.
      const error = new Error(`${hostOf(url)} answers ${status}: ${said}`)
      throw Object.assign(error, { status, body: json })
    }
    await pause(wait, undefined, { ...(signal && { signal }) })
  }
}

async function send({ url, headers, body, signal }: JsonRequest) {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      // A key must not follow to another server.
      redirect: 'error',
      ...(signal && { signal }),
    })
    return { response, text: await response.text() }
  } catch (error) {
    signal?.throwIfAborted()
    const reason = codeOf(error instanceof Error ? error.cause : error)
    throw new Error(`${hostOf(url)} does not answer (${sanitizeLine(reason).slice(0, 80)})`, {
      cause: error,
    })
  }
}

function hostOf(url: string): string {
  return new URL(url).host
}

function messageIn(body: unknown): string | undefined {
  const error = fieldsOf(body)?.['error']
  return textOf(fieldsOf(error)?.['message']) ?? textOf(error)
}

function waitOf(headers: Headers): number | undefined {
  const milliseconds = Number(headers.get('retry-after-ms') ?? NaN)
  if (milliseconds >= 0) return milliseconds
  const seconds = Number(headers.get('retry-after') ?? NaN)
  return seconds >= 0 ? seconds * 1000 : undefined
}

/**
 * The summarizer for a model.
 * @throws CommandError if the package that it needs isn't installed.
 */
export async function summarizerFor(chosen: ChosenModel): Promise<Summarizer> {
  return summarizerOf(chosen, await askerFor(chosen))
}

export function summarizerOf({ model }: ChosenModel, ask: AskModel): Summarizer {
  return once(headSummarizer(model, ask, {}))
}

/**
 * Asks a model.
 * @throws CommandError if the package that it needs isn't installed.
 */
export async function askerFor(chosen: ChosenModel): Promise<AskModel> {
  if (chosen.type === 'package') return packageAsker(chosen)
  return chosen.wire === 'anthropic' ? anthropic(chosen) : openai(chosen)
}

type AtServer = Extract<ChosenModel, { type: 'http' }>

function anthropic({ model, baseUrl, key }: AtServer): AskModel {
  const url = `${baseUrl.replace(/\/v1$/, '')}/v1/messages`
  const headers = {
    'anthropic-version': '2023-06-01',
    ...(key !== undefined && { 'x-api-key': key }),
  }
  return askAnthropic(
    {
      messages: {
        create: async (body, { signal }) =>
          (await askJson({ url, headers, body, signal })) as AnthropicResponse,
      },
    },
    model,
  )
}

function openai({ model, baseUrl, key }: AtServer): AskModel {
  const url = `${baseUrl}/chat/completions`
  const headers: Record<string, string> =
    key === undefined ? {} : { authorization: `Bearer ${key}` }
  return askOpenai(
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
    model,
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
 * would cost as much as the first one. What failed is not asked for again either.
 */
function once(summarizer: Summarizer): Summarizer {
  const known = new Map<string, Awaited<ReturnType<Summarizer['summarize']>>>()
  const failed = new Map<number, unknown>()
  return {
    ...summarizer,
    name: summarizer.name,
    async summarize(request, options) {
      const key = `${request.through} ${request.head.length} ${request.attempt}`
      const before = known.get(key)
      if (before) return { ...before, calls: before.calls ?? [] }
      if (failed.has(request.attempt)) throw failed.get(request.attempt)
      const answer = await summarizer.summarize(request, options).catch((error: unknown) => {
        failed.set(request.attempt, error)
        throw error
      })
      known.set(key, answer)
      return answer
    },
  }
}
