import { IllegalPromptError, promptProblems } from '../prompt-rules.ts'
import { overflowError, type OverflowVoice } from '../overflow-errors.ts'
import { bytesOverFour, requestTokens, type CountText } from '../prompt-tokens.ts'
import { streamParts } from './stream-parts.ts'
import type { ScriptedAnswer } from './scripted-answer.ts'
import type {
  ProviderAnswer,
  ProviderModel,
  ProviderRequest,
  ProviderStream,
  ProviderStreamPart,
  ProviderUsage,
} from './model-types.ts'

/** One request to a scripted model. */
export interface ScriptedRequest extends ProviderRequest {
  /** Counted from 1. */
  number: number
  /** By the model's own counter. */
  tokens: number
}

/**
 * The answers in order, or a function that makes one. When the list ends, the model has nothing
 * more to say.
 */
export type Script =
  | readonly ScriptedAnswer[]
  | ((request: ScriptedRequest) => ScriptedAnswer | Promise<ScriptedAnswer>)

/** What a provider rejects. */
export interface ScriptedRules {
  /** The model's window in tokens by its own counter; a longer request overflows. */
  window?: number
  /** Tokens that the window must have left for the answer. */
  reserve?: number
  voice?: OverflowVoice
  /** Whether invalid prompts are accepted; they are rejected by default. */
  lenient?: boolean
}

/** The script of a model, and the rules that it enforces. */
export interface ScriptedModelOptions {
  script: Script
  rules?: ScriptedRules
  modelId?: string
  /** How the model counts; by default bytes divided by four, unlike the engine's own counting. */
  count?: CountText
}

/** A model that answers by a script, and remembers its requests. */
export interface ScriptedModel extends ProviderModel {
  /** All requests, including rejected ones. */
  readonly requests: readonly ScriptedRequest[]
}

/**
 * A language model for the AI SDK that answers by a script, remembers its requests, and rejects
 * what a strict provider would reject.
 * @example
 * const model = scriptedModel({ script: [{ calls: [{ name: 'read' }] }, { text: 'Done.' }] })
 */
export function scriptedModel({
  script,
  rules = {},
  modelId = 'scripted',
  count = bytesOverFour,
}: ScriptedModelOptions): ScriptedModel {
  const requests: ScriptedRequest[] = []
  let calls = 0

  async function answer(request: ProviderRequest): Promise<ProviderStream> {
    const tokens = requestTokens(request, count)
    const scripted: ScriptedRequest = { ...request, number: requests.length + 1, tokens }
    requests.push(scripted)
    enforce(scripted, rules)
    const said = await nextAnswer(script, scripted)
    await pause(said.delay ?? 0, request.abortSignal)
    if (said.error !== undefined) throw said.error
    if (said.hangs === 'before') await untilAborted(request.abortSignal)
    const usage = usageOf(said, tokens, count)
    const parts = streamParts(said, { usage, modelId, nextId: () => `call-${++calls}` })
    return streamOf(said, parts, request.abortSignal)
  }

  return {
    specificationVersion: 'v4',
    provider: 'scripted',
    modelId,
    supportedUrls: {},
    requests,
    async doStream(request) {
      return { stream: await answer(request) }
    },
    async doGenerate(request) {
      return generated(await answer(request))
    },
  }
}

function enforce({ prompt, tokens }: ScriptedRequest, rules: ScriptedRules): void {
  const { window, reserve = 0, voice = 'anthropic', lenient = false } = rules
  const problems = lenient ? [] : promptProblems(prompt)
  if (problems.length > 0) throw new IllegalPromptError(problems)
  if (window !== undefined && tokens + reserve > window) {
    throw overflowError(voice, { tokens: tokens + reserve, limit: window })
  }
}

async function nextAnswer(script: Script, request: ScriptedRequest): Promise<ScriptedAnswer> {
  if (typeof script === 'function') return script(request)
  const answer = script[request.number - 1]
  if (answer) return answer
  throw new Error(`The script has ${script.length} answers, but this is request ${request.number}.`)
}

function usageOf(answer: ScriptedAnswer, prompt: number, count: CountText): ProviderUsage {
  const { usage } = answer
  const none = usage === 'none'
  const said = (answer.text ?? '') + (answer.calls ? JSON.stringify(answer.calls) : '')
  const given = none ? {} : { input: prompt, output: count(said), ...usage }
  const { input, output, cacheRead }: { input?: number; output?: number; cacheRead?: number } =
    given
  return {
    inputTokens: { total: input, noCache: undefined, cacheRead, cacheWrite: undefined },
    outputTokens: { total: output, text: undefined, reasoning: undefined },
  }
}

function streamOf(
  answer: ScriptedAnswer,
  parts: { beforeBreak: ProviderStreamPart[]; rest: ProviderStreamPart[] },
  signal: AbortSignal | undefined,
): ProviderStream {
  const source = saying(answer, parts, signal)
  return new ReadableStream<ProviderStreamPart>({
    async pull(controller) {
      const { done, value } = await source.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
}

async function* saying(
  answer: ScriptedAnswer,
  { beforeBreak, rest }: { beforeBreak: ProviderStreamPart[]; rest: ProviderStreamPart[] },
  signal: AbortSignal | undefined,
): AsyncGenerator<ProviderStreamPart> {
  for (const part of beforeBreak) {
    if (part.type.endsWith('-delta')) await pause(answer.pace ?? 0, signal)
    yield part
  }
  if (answer.hangs === 'after-text') await untilAborted(signal)
  if (answer.breaks === undefined) yield* rest
  else yield { type: 'error', error: answer.breaks }
}

async function generated(stream: ProviderStream): Promise<ProviderAnswer> {
  const content: ProviderAnswer['content'] = []
  let text = ''
  for await (const part of stream) {
    if (part.type === 'error') throw part.error
    if (part.type === 'text-delta') text += part.delta
    if (part.type === 'tool-call') content.push(part)
    if (part.type !== 'finish') continue
    const { finishReason, usage } = part
    const said = text === '' ? [] : [{ type: 'text' as const, text }]
    return { content: [...said, ...content], finishReason, usage, warnings: [] }
  }
  throw new Error('The stream ended without a finish part.')
}

async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  if (milliseconds === 0) return
  await Promise.race([
    new Promise((resolve) => setTimeout(resolve, milliseconds)),
    untilAborted(signal),
  ])
}

async function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason)
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
