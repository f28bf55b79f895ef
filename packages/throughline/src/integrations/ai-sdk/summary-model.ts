import { generateText, type LanguageModel, type ModelMessage, type ToolSet } from 'ai'
import { SummaryFailedError } from '../../compaction/errors.ts'
import { costOf, type Prices } from '../../tokens/prices.ts'
import { finishOf } from './finish.ts'
import { modelId } from './model-id.ts'
import { providerError } from './provider-error.ts'
import { usageOf } from './usage.ts'
import type { SummaryAnswer, SummaryCall } from '../../compaction/summary/summarizer.ts'
import type { Window } from '../../tokens/window.ts'
import type { ModelPrompt } from './model-prompt.ts'

export type GenerateTextOptions = Parameters<typeof generateText<ToolSet>>[0]

/** Settings of the SDK that do not say what is asked. */
export type SummarySettings = Omit<
  Partial<GenerateTextOptions>,
  'model' | 'messages' | 'prompt' | 'instructions' | 'system' | 'abortSignal'
>

/** A model that writes summaries, and what is known of it. */
export interface SummaryModel {
  model: LanguageModel
  /** Its limits, in tokens; by default those of the table for its name, else the session's. */
  window?: Window
  /** By default those of the table for its name. */
  prices?: Prices
}

/** What one request says; the rest are settings. */
export interface SummaryPrompt extends ModelPrompt {
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

/**
 * Makes one request, and writes it down whatever comes of it.
 * @throws SummaryFailedError if no more may be made.
 * @throws what the provider threw, and the signal's reason if it is aborted.
 */
export async function askForSummary(
  { model, prices }: SummaryModel,
  { instructions, messages, maxOutputTokens, settings }: SummaryPrompt,
  calls: SummaryCalls,
): Promise<Omit<SummaryAnswer, 'calls'>> {
  calls.signal?.throwIfAborted()
  checkCalls(calls, 1)
  const id = modelId(model)
  try {
    const result = await generateText<ToolSet>({
      maxOutputTokens,
      ...settings,
      model,
      ...(instructions && { instructions }),
      messages: [...messages] satisfies ModelMessage[],
      ...(calls.signal && { abortSignal: calls.signal }),
    })
    const usage = usageOf(result.usage)
    const cost = usage && prices ? costOf(usage, prices) : undefined
    calls.made.push({ model: id, ...(usage && { usage }), ...(cost !== undefined && { cost }) })
    const finish = finishOf(result.finishReason)
    const called = result.toolCalls.length > 0
    return {
      text: result.text,
      finish: called ? 'tool-calls' : finish === 'aborted' ? 'other' : finish,
    }
  } catch (error) {
    calls.made.push({ model: id, failed: true })
    calls.signal?.throwIfAborted()
    throw providerError(error)
  }
}

/** @throws SummaryFailedError if so many requests more would be too many. */
export function checkCalls({ made, most }: SummaryCalls, more: number): void {
  if (made.length + more <= most) return
  throw new SummaryFailedError(
    `The summary would take ${made.length + more} requests, and ${most} are allowed. Give the summariser a model with a larger window, or raise maxCalls.`,
    { calls: made },
  )
}
