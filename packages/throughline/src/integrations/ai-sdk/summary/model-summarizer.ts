import { SummaryFailedError } from '../../../compaction/errors.ts'
import { pricesOf } from '../../../tokens/prices.ts'
import { modelId } from '../model-id.ts'
import { summaryByModel, type Asking } from './summary-by-model.ts'
import type { LanguageModel } from 'ai'
import type {
  Summarizer,
  SummaryAnswer,
} from '../../../compaction/summary/with-model/summarizer.ts'
import type { LivePrefix } from './live-prefix.ts'
import type { GenerateTextOptions, SummaryModel } from './summary-model.ts'

/** The settings of `generateText` that a summary request decides itself. */
type Decided =
  | 'model'
  | 'messages'
  | 'prompt'
  | 'instructions'
  | 'system'
  | 'abortSignal'
  | 'stopWhen'
  | 'prepareStep'
  | 'output'
  | 'tools'
  | 'toolChoice'
  | 'activeTools'
  | 'toolOrder'

/**
 * Any other setting of the SDK's `generateText`, such as `maxRetries` (2 by default) or
 * `maxOutputTokens` (by default a little more than the summary's budget), and what is known about
 * the model.
 */
export interface ModelSummarizerOptions
  extends Omit<GenerateTextOptions, Decided>, Omit<SummaryModel, 'model'> {
  /**
   * The tools and the other settings of the session's own requests. With these, and if the
   * session's `model` is this one, a summary may be requested after the live conversation, which
   * costs less if the provider has it cached. The tools are sent but never run.
   */
  livePrefix?: LivePrefix
  /**
   * Asked if the model fails: for example, the session's own model as a fallback for a small one.
   */
  fallback?: LanguageModel | SummaryModel
  /** How many requests one summary may take, including those of the fallback; 8 by default. */
  maxCalls?: number
}

// Six parts of a head, and two more for failures.
const defaultMaxCalls = 8

/**
 * Summaries by an AI SDK model; a small one is enough. The session checks and repairs its
 * summaries, and manages without it if it fails. A conversation larger than the model's window is
 * read in parts. All costs are in the report and in the checkpoint.
 * @example
 * const summarizer = modelSummarizer(small, { fallback: model, livePrefix: { tools } })
 * const session = await openSession({ ...options, model: 'claude-sonnet-4-5', summarizer })
 */
export function modelSummarizer(
  model: LanguageModel,
  options: ModelSummarizerOptions = {},
): Summarizer {
  const { window, prices, livePrefix, fallback, maxCalls = defaultMaxCalls, ...settings } = options
  const first = { model, ...(window && { window }), ...(prices && { prices }) }
  const models = [first, ...(fallback === undefined ? [] : [asSummaryModel(fallback)])].map(priced)
  return {
    name: modelId(model),
    async summarize(request, { signal }): Promise<SummaryAnswer> {
      const calls = { made: [], most: maxCalls, signal }
      const asking: Asking = { settings, livePrefix, calls }
      const reasons: string[] = []
      let cause: unknown
      for (const one of models) {
        try {
          const answer = await summaryByModel(one, request, asking)
          if (one === models.at(-1) || isAnswer(answer)) return { ...answer, calls: calls.made }
        } catch (error) {
          signal?.throwIfAborted()
          cause = error
          const who = models.length === 1 ? '' : `${modelId(one.model)}: `
          reasons.push(who + reasonOf(error))
        }
      }
      throw new SummaryFailedError(reasons.join('; '), { calls: calls.made, cause })
    },
  }
}

function asSummaryModel(fallback: LanguageModel | SummaryModel): SummaryModel {
  return typeof fallback === 'object' && 'model' in fallback ? fallback : { model: fallback }
}

function priced({ prices, ...one }: SummaryModel): SummaryModel {
  const known = prices ?? pricesOf(modelId(one.model))
  return { ...one, ...(known && { prices: known }) }
}

/** An answer that may be a bad summary, but that another model wouldn't necessarily improve. */
function isAnswer({ text, finish }: SummaryAnswer): boolean {
  return (
    finish !== 'error' &&
    finish !== 'content-filter' &&
    (text.trim() !== '' || finish === 'tool-calls')
  )
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'the thrown value is not an error'
}
