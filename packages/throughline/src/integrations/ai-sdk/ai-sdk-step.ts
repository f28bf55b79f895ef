import { streamText, type LanguageModel, type ToolSet } from 'ai'
import { finishOf } from './finish.ts'
import { modelId } from './model-id.ts'
import { toModelMessages } from './model-messages.ts'
import { partialStep, type PartialStep } from './partial-step.ts'
import { providerError } from './provider-error.ts'
import { toLogMessages } from './response-messages.ts'
import { usageOf } from './usage.ts'
import type { RunStep, StepRequest, StepResult } from '../../session/loop.ts'

type StreamTextOptions = Parameters<typeof streamText<ToolSet>>[0]

/** What the session decides: the settings of `streamText` that a step does not take. */
type Decided =
  | 'model'
  | 'messages'
  | 'prompt'
  | 'instructions'
  | 'system'
  | 'abortSignal'
  | 'stopWhen'
  | 'onError'

/** A model, its tools, and any other setting of the SDK's `streamText`. */
export interface AiSdkStepOptions extends Omit<StreamTextOptions, Decided> {
  model: LanguageModel
}

/**
 * A step of the loop through the AI SDK: one request, streamed, its tools run. A call that needs
 * approval ends the run as `pending`; append the answer, a `tool-approval-response` in a tool
 * message, and run again. The parts of the stream go to the session's `part` events.
 * @throws what the provider threw, so that the loop can tell an overflow from other errors.
 * @example
 * await session.say('Why does the test fail?')
 * await run({ session, step: aiSdkStep({ model, tools }) })
 */
export function aiSdkStep(options: AiSdkStepOptions): RunStep {
  return async (request, { signal, onPart }) => {
    const partial = partialStep(options.tools)
    const answered = new AnswersFirst()
    try {
      const result = startStream(options, request, answered, signal)
      for await (const part of result.stream) {
        onPart(part)
        if (part.type === 'error') throw part.error
        if (part.type === 'abort' && !signal?.aborted) throw timeoutError(part.reason)
        partial.take(part)
      }
      if (signal?.aborted) return await abortedStep(partial)
      const step = await result.finalStep
      const usage = usageOf(step.usage)
      return {
        messages: toLogMessages(step.response.messages),
        finish: finishOf(step.finishReason),
        ...(usage && { usage }),
        model: modelId(options.model),
      }
    } catch (error) {
      if (signal?.aborted) return abortedStep(partial)
      if (error === answered) return { messages: answered.messages, finish: 'tool-calls' }
      throw providerError(error)
    }
  }
}

/**
 * Stops the SDK after it ran the calls that were approved since the last step and before it asks
 * the model: what they returned is recorded whatever comes next, and is measured first.
 */
class AnswersFirst extends Error {
  messages: StepResult['messages'] = []
}

function startStream(
  { prepareStep, ...options }: AiSdkStepOptions,
  request: StepRequest,
  answered: AnswersFirst,
  signal: AbortSignal | undefined,
): ReturnType<typeof streamText<ToolSet>> {
  const { system, messages } = toModelMessages(request.messages)
  const instructions = request.system
    ? [{ role: 'system' as const, content: request.system }, ...system]
    : system
  return streamText<ToolSet>({
    ...options,
    ...(instructions.length > 0 && { instructions }),
    ...(signal && { abortSignal: signal }),
    messages,
    // Without a listener the SDK prints errors to the console.
    onError: () => {},
    prepareStep: (step) => {
      if (step.responseMessages.length > 0) {
        answered.messages = toLogMessages(step.responseMessages)
        throw answered
      }
      return prepareStep?.(step)
    },
  })
}

async function abortedStep(partial: PartialStep): Promise<StepResult> {
  return { messages: await partial.messages(), finish: 'aborted' }
}

function timeoutError(reason: string | undefined): DOMException {
  return new DOMException(reason ?? 'The request to the model timed out.', 'TimeoutError')
}
