import { generateText, streamText, type FinishReason, type LanguageModel, type ToolSet } from 'ai'
import { SummaryFailedError } from '../../../compaction/errors.ts'
import { costOf, type Prices } from '../../../tokens/prices.ts'
import { modelId } from '../model-id.ts'
import { providerError } from '../provider-error.ts'
import { usageOf } from '../usage.ts'
import type {
  SummaryAnswer,
  SummaryCall,
} from '../../../compaction/summary/with-model/summarizer.ts'
import type { Window } from '../../../tokens/window.ts'
import type { ModelPrompt } from './model-prompt.ts'

export type GenerateTextOptions = Parameters<typeof generateText<ToolSet>>[0]

/** Settings of the SDK that do not say what is asked. */
export type SummarySettings = Omit<
  Partial<GenerateTextOptions>,
  'model' | 'messages' | 'prompt' | 'instructions' | 'system' | 'abortSignal' | 'output'
>

/** A model that writes summaries, and what is known of it. */
export interface SummaryModel {
  model: LanguageModel
  /** Its limits, in tokens; by default the session's for its own model, else those of the table. */
  window?: Window
  /** By default those of the table for its name. */
  prices?: Prices
}

/** Whether the answer to a request is streamed or comes as a whole. */
export type Sent = 'streamed' | 'whole'

/** What one request says; the rest are settings. */
export interface SummaryPrompt extends ModelPrompt {
  /** Some providers are told of the same tools in other words where the answer is streamed. */
  sent: Sent
  /** The most that the answer may hold, in tokens, unless the settings say another. */
  maxOutputTokens: number
  settings: SummarySettings
}

/** The requests of one summary: how many there may be, and which there were. */
export interface SummaryCalls {
  made: SummaryCall[]
  most: number
  signal: AbortSignal | undefined
}

// Milliseconds. A provider that says nothing must not hold up an agent for ever.
const defaultTimeout = 120_000

/**
 * Makes one request, and writes it down whatever comes of it.
 * @throws SummaryFailedError if no more may be made.
 * @throws what the provider threw, and the signal's reason if it is aborted.
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
      model,
      ...(instructions && { instructions }),
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

/** A stream that broke off may hold all sections and still not be all of it. */
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

/** The last step of a stream, once it is at its end. */
async function streamedText(
  request: Parameters<typeof streamText<ToolSet>>[0],
): Promise<Awaited<ReturnType<typeof streamText<ToolSet>>['finalStep']>> {
  // Without a listener the SDK prints errors to the console.
  const result = streamText<ToolSet>({ ...request, onError: () => {} })
  for await (const part of result.stream) {
    if (part.type === 'error') throw part.error
    if (part.type === 'abort') throw new DOMException('The request was aborted.', 'AbortError')
  }
  return result.finalStep
}

/** @throws SummaryFailedError if so many requests more would be too many. */
export function checkCalls({ made, most }: SummaryCalls, more: number): void {
  if (made.length + more <= most) return
  throw new SummaryFailedError(
    `The summary would take ${made.length + more} requests, and ${most} are allowed. Give the summarizer a model with a larger window, or raise maxCalls.`,
    { calls: made },
  )
}
