import { APICallError } from 'ai'
import { answerLimit, type Sizing } from '../../../compaction/summary/with-model/request-sizes.ts'
import { answerRoom, chooseShape } from '../../../compaction/summary/with-model/request-shape.ts'
import { livePrompt } from '../../../compaction/summary/with-model/summary-prompt.ts'
import { overflowOf } from '../../../session/overflow/overflow.ts'
import { startingRatio } from '../../../tokens/calibration.ts'
import { windowOf } from '../../../tokens/windows.ts'
import {
  least,
  modelTokens,
  toModel,
  toModelShare,
  type ModelTokens,
} from '../../../tokens/units.ts'
import { readHead, summaryOfHead } from './head-summary.ts'
import { answersInWords, takesQuestion, withoutExecution, type LivePrefix } from './live-prefix.ts'
import { modelId } from '../model-id.ts'
import { modelPrompt } from './model-prompt.ts'
import {
  askForSummary,
  type SummaryCalls,
  type SummaryModel,
  type SummarySettings,
} from './summary-model.ts'
import type {
  SummaryAnswer,
  SummaryRequest,
} from '../../../compaction/summary/with-model/summarizer.ts'
import type { Window } from '../../../tokens/window.ts'

/** How a model is asked. */
export interface Asking {
  settings: SummarySettings
  livePrefix: LivePrefix | undefined
  calls: SummaryCalls
}

/**
 * One summary by one model, asked in the cheaper way: after the live conversation, or for the head
 * alone, in as many parts as its window requires.
 */
export async function summaryByModel(
  model: SummaryModel,
  request: SummaryRequest,
  asking: Asking,
): Promise<SummaryAnswer> {
  const sizing = sizingOf(model, request)
  if (livePays(model, request, asking, sizing)) {
    try {
      return await summaryBehindLive(model, request, asking, sizing)
    } catch (error) {
      asking.calls.signal?.throwIfAborted()
      // A model that is down is down for any request; a refused request may have been refused for
      // its form.
      if (APICallError.isInstance(error) && error.isRetryable) throw error
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

function sizingOf({ model, window }: SummaryModel, { live, counter }: SummaryRequest): Sizing {
  const id = modelId(model)
  // What a session was told about its own model, or has learned, is more reliable than a table.
  return live.model === id
    ? { window: window ?? live.window, ratio: counter.ratio }
    : { window: window ?? windowOf(id) ?? live.window, ratio: startingRatio(id) }
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
    return toModelShare(readHead(request, sizing, { model, answer }).tokens, sizing.ratio)
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
  const reading = readHead(request, sizing, { model, answer })
  return summaryOfHead(model, request, { reading, answer, settings, calls })
}
