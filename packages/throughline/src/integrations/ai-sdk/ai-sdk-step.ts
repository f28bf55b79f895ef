import type { AiSdkStepOptions } from './step-options.ts'
import { streamText } from 'ai'
import { checkAiSdk, isNotice } from './peer-version-error.ts'
import { earlyStep, type EarlyStep } from './early-step.ts'
import { withCompactionBeta } from './compaction/compacting-provider.ts'
import { finishOf, usageOf, providerError } from './usage.ts'
import { askedOnceByProxy, modelId, providerOptions } from './provider-options.ts'
import { modelPrompt } from './summary/model-prompt.ts'
import { resultPart } from './tool-schemas.ts'
import type {
  ToolSet,
  AssistantModelMessage,
  ToolModelMessage,
  ProviderMetadata,
  TextStreamPart,
} from 'ai'
import type { RunStep, StepRequest } from '../../session/loop/loop.ts'
import type { StepResult } from '../../session/loop/step-record.ts'
import type {
  AssistantMessage,
  ToolMessage,
  AssistantPart,
  ReasoningPart,
  TextPart,
  ToolResultPart,
} from '../../log/message.ts'

/**
 * A step of the loop through the AI SDK: one streamed request, and its tools run. A call that needs
 * approval ends the run as `pending`; append the answer, a `tool-approval-response` in a tool
 * message, and run again. The parts of the stream go to the session's `part` events.
 *
 * The answer is saved before its tools run, and each result before the next tool runs: after a
 * crash, calls without a result are pending. If a call may need approval, or if the provider
 * answers with files or runs tools itself, everything is saved after all tools have run; so it is
 * with AI SDK 6.
 * @throws the provider's error, so that the loop can tell an overflow from other errors;
 * PeerVersionError where the AI SDK is older than version 6.
 * @example
 * await session.say('Why does the test fail?')
 * await run({ session, step: aiSdkStep({ model, tools }) })
 */
export function aiSdkStep(options: AiSdkStepOptions): RunStep {
  checkAiSdk()
  return async (request, { signal, onPart, keep }) => {
    const partial = partialStep(options.tools)
    const early = earlyStep(options, keep)
    const answered = new AnswersFirst()
    const signals = AbortSignal.any(signal ? [signal, early.failed] : [early.failed])
    try {
      const result = startStream(options, request, { answered, early, signals })
      for await (const part of result.fullStream) {
        onPart(part)
        if (part.type === 'error') throw part.error
        if (part.type === 'abort' && !signals.aborted) throw timeoutError(part.reason)
        partial.take(part)
        await early.take(part)
      }
      early.failed.throwIfAborted()
      if (signal?.aborted) return await abortedStep(partial, early)
      const step = (await result.steps).at(-1)
      if (!step) throw new Error('The AI SDK ended its stream without a step.')
      const usage = usageOf(step.usage)
      const finish = finishOf(step.finishReason)
      // A body that is empty, or no stream at all, ends like an answer in which nothing was said.
      if (finish === 'other' && !usage && step.content.length === 0) {
        throw new Error('The provider ended its answer before it began.')
      }
      return {
        messages: early.rest(toLogMessages(step.response.messages)),
        finish,
        ...(usage && { usage }),
        model: modelId(options.model),
      }
    } catch (error) {
      early.failed.throwIfAborted()
      if (signal?.aborted) return await abortedStep(partial, early)
      if (error === answered) return { messages: answered.messages, finish: 'tool-calls' }
      throw providerError(error)
    } finally {
      early.end()
    }
  }
}

/**
 * Stops the SDK after it has run the calls approved since the last step and before it asks the
 * model. Their results are saved whatever comes next, and are measured first.
 */
class AnswersFirst extends Error {
  messages: StepResult['messages'] = []
}

function startStream(
  { prepareStep, onLanguageModelCallEnd, ...options }: AiSdkStepOptions,
  request: StepRequest,
  { answered, early, signals }: { answered: AnswersFirst; early: EarlyStep; signals: AbortSignal },
): ReturnType<typeof streamText<ToolSet>> {
  const { instructions, messages } = modelPrompt(request)
  const headers = withCompactionBeta(options.headers, messages)
  return streamText<ToolSet>({
    ...options,
    model: askedOnceByProxy(options.model),
    ...(headers && { headers }),
    // AI SDK 6 has no other name for it, nor for the stream.
    ...(instructions && { system: instructions }),
    messages,
    abortSignal: signals,
    // Without a listener, the SDK prints errors to the console.
    onError: () => {},
    onLanguageModelCallEnd: async (event) => {
      await early.answered(event)
      await onLanguageModelCallEnd?.(event)
    },
    prepareStep: async (step) => {
      // Only AI SDK 7 tells them apart.
      const given = step.responseMessages ?? step.messages.slice(messages.length)
      if (given.length > 0) {
        answered.messages = toLogMessages(given as typeof step.responseMessages)
        throw answered
      }
      const changed = await prepareStep?.(step)
      return changed?.model ? { ...changed, model: askedOnceByProxy(changed.model) } : changed
    },
  })
}

async function abortedStep(partial: PartialStep, early: EarlyStep): Promise<StepResult> {
  return { messages: early.rest(await partial.messages()), finish: 'aborted' }
}

function timeoutError(reason: string | undefined): DOMException {
  return new DOMException(reason ?? 'The request to the model timed out.', 'TimeoutError')
}

/**
 * The SDK's answer as a log stores it: without fields that the SDK sets to `undefined`, so that a
 * log reads back the same from a store that keeps JSON.
 */
function toLogMessages(
  messages: readonly (AssistantModelMessage | ToolModelMessage)[],
): (AssistantMessage | ToolMessage)[] {
  return messages.map((message): AssistantMessage | ToolMessage => {
    if (message.role === 'tool') {
      return defined({ ...message, content: message.content.map(defined) })
    }
    const { content } = message
    return defined({
      ...message,
      content:
        typeof content === 'string'
          ? content
          : content.filter((part) => !isNotice(part)).map(defined),
    })
  })
}

function defined<Value extends object>(value: Value): Value {
  const entries = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(entries) as Value
}

/** What has arrived of a step so far. */
interface PartialStep {
  take: (part: TextStreamPart<ToolSet>) => void
  /**
   * The text so far, the calls that were made and the results that arrived. Reasoning is whole or
   * absent; nothing is empty.
   */
  messages: () => Promise<(AssistantMessage | ToolMessage)[]>
}

type Result = Extract<TextStreamPart<ToolSet>, { type: 'tool-result' | 'tool-error' }>

/** Collects the parts of a stream in case it doesn't reach its end. */
function partialStep(tools: ToolSet | undefined): PartialStep {
  const parts: AssistantPart[] = []
  const results: Result[] = []
  const open = new Map<string, TextPart | ReasoningPart>()
  const unfinished = new Set<AssistantPart>()

  function start(type: 'text' | 'reasoning', id: string, metadata?: ProviderMetadata): void {
    const part = { type, text: '', ...providerOptions(metadata) }
    parts.push(part)
    open.set(`${type} ${id}`, part)
    if (type === 'reasoning') unfinished.add(part)
  }

  function extend(key: string, text: string, metadata?: ProviderMetadata): void {
    const part = open.get(key)
    if (!part) return
    part.text += text
    Object.assign(part, providerOptions(metadata))
  }

  return {
    take(part) {
      switch (part.type) {
        case 'text-start':
          return start('text', part.id, part.providerMetadata)
        case 'text-delta':
          return extend(`text ${part.id}`, part.text, part.providerMetadata)
        case 'reasoning-start':
          return start('reasoning', part.id, part.providerMetadata)
        case 'reasoning-delta':
          return extend(`reasoning ${part.id}`, part.text, part.providerMetadata)
        case 'reasoning-end': {
          extend(`reasoning ${part.id}`, '', part.providerMetadata)
          const ended = open.get(`reasoning ${part.id}`)
          if (ended) unfinished.delete(ended as ReasoningPart)
          return
        }
        case 'tool-call': {
          const { toolCallId, toolName, input, providerExecuted, providerMetadata } = part
          parts.push({
            type: 'tool-call',
            toolCallId,
            toolName,
            input,
            ...(providerExecuted && { providerExecuted }),
            ...providerOptions(providerMetadata),
          })
          return
        }
        case 'tool-result':
          if (!part.preliminary) results.push(part)
          return
        case 'tool-error':
          results.push(part)
          return
      }
    },
    async messages() {
      const said = parts.filter((part) => !unfinished.has(part) && !isEmpty(part))
      const calls = said.some((part) => part.type === 'tool-call')
      const words = said.some((part) => part.type === 'text')
      const assistant: AssistantMessage = {
        role: 'assistant',
        content: [...said, ...(await outputs(results.filter(isProviders), tools))],
      }
      const arrived = await outputs(inOrder(results, said), tools)
      const tool: ToolMessage = { role: 'tool', content: arrived }
      // Reasoning alone is nothing that another step could continue from.
      return [...(calls || words ? [assistant] : []), ...(arrived.length > 0 ? [tool] : [])]
    },
  }
}

function isProviders({ providerExecuted }: Result): boolean {
  return providerExecuted === true
}

/** The results of our own tools, in the order of their calls and not of their arrival. */
function inOrder(results: readonly Result[], parts: readonly AssistantPart[]): Result[] {
  const ids = parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
  return results
    .filter((result) => !isProviders(result))
    .toSorted((a, b) => ids.indexOf(a.toolCallId) - ids.indexOf(b.toolCallId))
}

function isEmpty(part: AssistantPart): boolean {
  return part.type === 'text' && part.text.trim() === ''
}

function outputs(
  results: readonly Result[],
  tools: ToolSet | undefined,
): Promise<ToolResultPart[]> {
  return Promise.all(results.map((result) => resultPart(result, tools)))
}
