import { SummaryFailedError } from '../../../compaction/errors.ts'
import { refusedAlways } from '../../../compaction/summary/with-model/refused.ts'
import { pricesOf } from '../../../tokens/prices.ts'
import { modelId } from '../provider-options.ts'
import { APICallError, type LanguageModel } from 'ai'
import { checkAiSdk } from '../peer-version-error.ts'
import { answersInWords, takesQuestion, withoutExecution, type LivePrefix } from './live-prefix.ts'
import { askForSummary } from './summary-model.ts'
import {
  answerLimit,
  answerRoom,
  chooseShape,
} from '../../../compaction/summary/with-model/request-shape.ts'
import { livePrompt } from '../../../compaction/summary/with-model/summary-prompt.ts'
import { overflowOf } from '../../../compaction/overflow/overflow.ts'
import { least, modelTokens, toModel, toModelShare } from '../../../tokens/units.ts'
import {
  checkCalls,
  readHead,
  sizingOf,
  summaryOfHead,
} from '../../conversation/head-summarizer.ts'
import { modelPrompt } from './model-prompt.ts'
import type {
  Summarizer,
  SummaryAnswer,
  SummaryRequest,
} from '../../../compaction/summary/with-model/summarizer.ts'
import type {
  GenerateTextOptions,
  SummaryModel,
  SummaryCalls,
  SummarySettings,
} from './summary-model.ts'
import type { Sizing } from '../../../compaction/summary/with-model/request-shape.ts'
import type { ModelTokens } from '../../../tokens/units.ts'
import type { Window } from '../../../tokens/window.ts'

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
   * Asked if the model fails: for example, the session's own model as a fallback for a small one. If
   * the first model's key is refused, or its provider has no such model, the fallback alone is asked
   * for the next ten summaries.
   */
  fallback?: LanguageModel | SummaryModel
  /** How many requests one summary may take, including those of the fallback; 8 by default. */
  maxCalls?: number
}

// Six parts of a head, and two more for failures.
const defaultMaxCalls = 8

// So many summaries later, a key that was refused is tried again: somebody may have renewed it.
const summariesWithout = 10

/**
 * Summaries by an AI SDK model; a small one is enough. The session checks and repairs its
 * summaries, and manages without it if it fails. A conversation larger than the model's window is
 * read in parts. All costs are in the report and in the checkpoint.
 * @throws PeerVersionError where the AI SDK is older than version 6.
 * @example
 * const summarizer = modelSummarizer(small, { fallback: model, livePrefix: { tools } })
 * const session = await openSession({ ...options, model: 'claude-sonnet-4-5', summarizer })
 */
export function modelSummarizer(
  model: LanguageModel,
  options: ModelSummarizerOptions = {},
): Summarizer {
  checkAiSdk()
  const { window, prices, livePrefix, fallback, maxCalls = defaultMaxCalls, ...settings } = options
  const first = { model, ...(window && { window }), ...(prices && { prices }) }
  const models = [first, ...(fallback === undefined ? [] : [asSummaryModel(fallback)])].map(priced)
  const own = models[0]?.prices
  const without = new Map<SummaryModel, number>()
  const isLeftOut = (one: SummaryModel): boolean => {
    const left = without.get(one) ?? 0
    without.set(one, Math.max(0, left - 1))
    return left > 0
  }
  return {
    name: modelId(model),
    ...(own && { prices: own }),
    readsLive: livePrefix !== undefined && answersInWords(livePrefix),
    async summarize(request, { signal }): Promise<SummaryAnswer> {
      const calls = { made: [], most: maxCalls, signal }
      const asking: Asking = { settings, livePrefix, calls }
      const reasons: string[] = []
      let cause: unknown
      for (const one of models) {
        const isLast = one === models.at(-1)
        if (!isLast && isLeftOut(one)) continue
        try {
          const answer = await summaryByModel(one, request, asking)
          if (isLast || isAnswer(answer)) return { ...answer, calls: calls.made }
        } catch (error) {
          signal?.throwIfAborted()
          if (!isLast && refusedAlways(error)) without.set(one, summariesWithout)
          // Where one of them may yet answer, they are asked again.
          cause = cause !== undefined && !refusedAlways(cause) ? cause : error
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

interface Asking {
  settings: SummarySettings
  livePrefix: LivePrefix | undefined
  calls: SummaryCalls
}

/**
 * One summary by one model, asked in the cheaper way: after the live conversation, or for the head
 * alone, in as many parts as its window requires.
 */
async function summaryByModel(
  model: SummaryModel,
  request: SummaryRequest,
  asking: Asking,
): Promise<SummaryAnswer> {
  const sizing = sizingOf(modelId(model.model), request, model.window)
  if (livePays(model, request, asking, sizing)) {
    try {
      return await summaryBehindLive(model, request, asking, sizing)
    } catch (error) {
      asking.calls.signal?.throwIfAborted()
      // A model that is down is down for any request, and so is one whose key is refused; another
      // refused request may have been refused for its form.
      const isDown = APICallError.isInstance(error) && error.isRetryable
      if (isDown || refusedAlways(error)) throw error
    }
  }
  try {
    return await ofHead(model, request, asking, sizing)
  } catch (error) {
    const overflow = overflowOf(error)
    if (!overflow) throw error
    const limit = overflow.unit === 'tokens' ? overflow.limit : undefined
    const window = smaller(sizing.window, limit)
    return ofHead(model, request, asking, { ...sizing, window })
  }
}

/** The window that an overflow proved: the one it names, or else half of the assumed one. */
function smaller(window: Window, limit = Infinity): Window {
  const context = limit < window.context ? limit : Math.floor(window.context / 2)
  return { ...window, context }
}

function livePays(
  model: SummaryModel,
  request: SummaryRequest,
  { livePrefix, settings }: Asking,
  sizing: Sizing,
): boolean {
  const { live, attempt, counter, instruction } = request
  // After one failure, the simpler way is used.
  if (!livePrefix || attempt > 1 || live.model !== modelId(model.model)) return false
  if (!answersInWords(livePrefix) || !takesQuestion(live)) return false
  const wanted = settings.maxOutputTokens
  const answer = wanted === undefined ? answerLimit(request.budget, sizing) : modelTokens(wanted)
  return (
    chooseShape({
      live,
      head: headTokens(model, request, sizing, answer),
      instruction: toModel(counter.text(livePrompt(instruction)), sizing.ratio),
      // Most summaries take far less than they may.
      answer: least(answer, modelTokens(toModelShare(request.budget, sizing.ratio) / 2)),
      window: sizing.window,
      prices: model.prices,
    }) === 'live'
  )
}

/** Infinite if the head can't be read at all. */
function headTokens(
  model: SummaryModel,
  request: SummaryRequest,
  sizing: Sizing,
  answer: ModelTokens,
): ModelTokens {
  try {
    return toModelShare(
      readHead(modelId(model.model), request, sizing, answer).tokens,
      sizing.ratio,
    )
  } catch {
    return modelTokens(Infinity)
  }
}

async function summaryBehindLive(
  model: SummaryModel,
  { live, instruction, budget, counter }: SummaryRequest,
  { settings, livePrefix = {}, calls }: Asking,
  sizing: Sizing,
): Promise<SummaryAnswer> {
  const question = livePrompt(instruction)
  const { instructions, messages } = modelPrompt(live)
  const room = answerRoom({
    live,
    instruction: toModel(counter.text(question), sizing.ratio),
    window: sizing.window,
  })
  // Settings that affect a provider's cache are those of the session, or none.
  const { reasoning: _, providerOptions: __, headers: ___, maxOutputTokens, ...own } = settings
  return askForSummary(
    model,
    {
      sent: livePrefix.sent ?? 'streamed',
      ...(instructions && { instructions }),
      messages: [...messages, { role: 'user', content: question }],
      maxOutputTokens: Math.floor(Math.min(maxOutputTokens ?? answerLimit(budget, sizing), room)),
      settings: { ...own, ...withoutExecution(livePrefix) },
    },
    calls,
  )
}

async function ofHead(
  model: SummaryModel,
  request: SummaryRequest,
  { settings, calls }: Asking,
  sizing: Sizing,
): Promise<SummaryAnswer> {
  const wanted = settings.maxOutputTokens
  const answer = wanted === undefined ? answerLimit(request.budget, sizing) : modelTokens(wanted)
  const reading = readHead(modelId(model.model), request, sizing, answer)
  checkCalls(calls, reading.parts.length)
  return summaryOfHead(request, reading, ({ system, prompt }) => {
    const instructions = [{ role: 'system' as const, content: system }]
    const messages = [{ role: 'user' as const, content: prompt }]
    const asked = {
      sent: 'whole' as const,
      instructions,
      messages,
      maxOutputTokens: answer,
      settings,
    }
    return askForSummary(model, asked, calls)
  })
}
