import {
  generateText,
  streamText,
  type FinishReason,
  type LanguageModel,
  type StepResult,
  type ToolSet,
} from 'ai'
import { checkCalls } from '../../conversation/head-summarizer.ts'
import { costOf } from '../../../tokens/prices.ts'
import type { Prices } from '../../../tokens/price-table.ts'
import { askedOnceByProxy, modelId } from '../provider-options.ts'
import { providerError, usageOf } from '../usage.ts'
import type {
  SummaryAnswer,
  SummaryCall,
} from '../../../compaction/summary/with-model/summarizer.ts'
import type { Window } from '../../../tokens/window.ts'
import type { ModelPrompt } from './model-prompt.ts'

export type GenerateTextOptions = Parameters<typeof generateText<ToolSet>>[0]

/** Settings of the SDK that don't determine what is asked. */
export type SummarySettings = Omit<
  Partial<GenerateTextOptions>,
  'model' | 'messages' | 'prompt' | 'instructions' | 'system' | 'abortSignal' | 'output'
>

/** A model that writes summaries, and what is known about it. */
export interface SummaryModel {
  model: LanguageModel
  /** Its limits, in tokens; by default the session's for its own model, else those in the table. */
  window?: Window
  /** By default the prices in the table for its name. */
  prices?: Prices
}

/** Whether the answer to a request is streamed or arrives as a whole. */
export type Sent = 'streamed' | 'whole'

/** The content of one request; the rest are settings. */
export interface SummaryPrompt extends ModelPrompt {
  /** Some providers receive the same tools in a different form if the answer is streamed. */
  sent: Sent
  /** The most that the answer may hold, in tokens, unless the settings set another limit. */
  maxOutputTokens: number
  settings: SummarySettings
}

/** The requests of one summary: how many are allowed, and which were made. */
export interface SummaryCalls {
  made: SummaryCall[]
  most: number
  signal: AbortSignal | undefined
}

// Milliseconds. A silent provider must not hold up an agent forever.
const defaultTimeout = 120_000

/**
 * Makes one request and records it, whatever its outcome.
 * @throws SummaryFailedError if no more requests are allowed.
 * @throws the provider's error, and the signal's reason if it is aborted.
 */
export async function askForSummary(
  { model, prices }: SummaryModel,
  { sent, instructions, messages, maxOutputTokens, settings }: SummaryPrompt,
  calls: SummaryCalls,
): Promise<Omit<SummaryAnswer, 'calls'>> {
  calls.signal?.throwIfAborted()
  checkCalls(calls, 1)
  const id = modelId(model)
  try {
    const request = {
      maxOutputTokens,
      timeout: defaultTimeout,
      ...settings,
      model: askedOnceByProxy(model),
      ...(instructions && { system: instructions }),
      messages,
      ...(calls.signal && { abortSignal: calls.signal }),
    }
    const result = await (sent === 'streamed' ? streamedText(request) : generateText(request))
    const usage = usageOf(result.usage)
    const cost = usage && prices ? costOf(usage, prices) : undefined
    calls.made.push({ model: id, ...(usage && { usage }), ...(cost !== undefined && { cost }) })
    return { text: result.text, finish: summaryFinish(result) }
  } catch (error) {
    calls.made.push({ model: id, failed: true })
    calls.signal?.throwIfAborted()
    throw providerError(error)
  }
}

/** A broken stream may contain all sections and still be incomplete. */
function summaryFinish({
  finishReason,
  toolCalls,
}: {
  finishReason: FinishReason
  toolCalls: readonly unknown[]
}): SummaryAnswer['finish'] {
  if (toolCalls.length > 0) return 'tool-calls'
  return finishReason === 'interrupted' ? 'error' : finishReason
}

/** The last step of a stream, after its end. */
async function streamedText(
  request: Parameters<typeof streamText<ToolSet>>[0],
): Promise<StepResult<ToolSet>> {
  // Without a listener, the SDK prints errors to the console.
  const result = streamText<ToolSet>({ ...request, onError: () => {} })
  for await (const part of result.fullStream) {
    if (part.type === 'error') throw part.error
    if (part.type === 'abort') throw new DOMException('The request was aborted.', 'AbortError')
  }
  const step = (await result.steps).at(-1)
  if (!step) throw new Error('The AI SDK ended its stream without a step.')
  return step
}
