import {
  answerLimit,
  readingRoom,
  type Sizing,
} from '../../compaction/summary/with-model/request-shape.ts'
import { clipText } from '../../compaction/clip/clip.ts'
import { costOf, pricesOf } from '../../tokens/prices.ts'
import type { Prices } from '../../tokens/price-table.ts'
import { foldTranscript } from '../../compaction/summary/with-model/fold-transcript.ts'
import {
  headPrompt,
  updateInstruction,
} from '../../compaction/summary/with-model/summary-prompt.ts'
import {
  estimatedTokens,
  minus,
  most,
  plus,
  share,
  sumEstimated,
  toModel,
  type EstimatedTokens,
  type ModelTokens,
} from '../../tokens/units.ts'
import { startingRatio } from '../../tokens/calibration.ts'
import { stepTexts } from '../../compaction/summary/transcript-text.ts'
import { SummaryFailedError } from '../../compaction/errors.ts'
import { summaryProblems } from '../../compaction/summary/check.ts'
import { windowOf } from '../../tokens/windows.ts'
import type {
  Summarizer,
  SummaryAnswer,
  SummaryCall,
  SummaryRequest,
} from '../../compaction/summary/with-model/summarizer.ts'
import type { Window } from '../../tokens/window.ts'

/** One request to a model for a summary. */
export interface HeadQuestion {
  system: string
  prompt: string
  /** The size of the answer in tokens. */
  maxTokens: number
  signal?: AbortSignal
}

export type AskModel = (question: HeadQuestion) => Promise<Omit<SummaryAnswer, 'calls'>>

/** What is known about a summarizer's model, and its limits. */
export interface HeadSummarizerOptions {
  /** The model's window; by default the known one of a well-known model. */
  window?: Window
  /** US dollars per million tokens; by default those of a well-known model. */
  prices?: Prices
  /** How many requests one summary may take; 8 by default. */
  maxCalls?: number
}

// Six parts of a head, and two more for failures.
const defaultMaxCalls = 8

// With less room than this, a model reads almost nothing of what it summarizes.
const leastRoom = estimatedTokens(400)

// The elements, and the text between them.
const aroundData = estimatedTokens(100)
const betweenSteps = estimatedTokens(1)

/**
 * Summaries by a model that is asked with `ask`, for the head alone: in parts if it is larger than
 * the model's window.
 */
export function headSummarizer(
  name: string,
  ask: AskModel,
  options: HeadSummarizerOptions,
): Summarizer {
  const prices = options.prices ?? pricesOf(name)
  return {
    name,
    ...(prices && { prices }),
    async summarize(request, { signal }) {
      const calls: SummaryCall[] = []
      const askOnce = async (question: HeadQuestion): Promise<SummaryAnswer> => {
        try {
          const answer = await ask({ ...question, ...(signal && { signal }) })
          const { usage } = answer
          const cost = usage && prices ? costOf(usage, prices) : undefined
          calls.push({ model: name, ...(usage && { usage }), ...(cost !== undefined && { cost }) })
          return answer
        } catch (error) {
          calls.push({ model: name, failed: true })
          signal?.throwIfAborted()
          const reason = error instanceof Error ? error.message : 'the thrown value is not an error'
          throw new SummaryFailedError(reason, { calls, cause: error })
        }
      }
      const { text, finish } = await readInParts(name, request, options, askOnce)
      return { text, finish, calls }
    },
  }
}

/** Part by part; stops at the first unusable answer. */
async function readInParts(
  name: string,
  request: SummaryRequest,
  options: HeadSummarizerOptions,
  ask: (question: HeadQuestion) => Promise<SummaryAnswer>,
): Promise<SummaryAnswer> {
  const sizing = sizingOf(name, request, options.window)
  const maxTokens = answerLimit(request.budget, sizing)
  const reading = readHead(name, request, sizing, maxTokens)
  checkCalls({ made: [], most: options.maxCalls ?? defaultMaxCalls }, reading.parts.length)
  return summaryOfHead(request, reading, (question) => ask({ ...question, maxTokens }))
}

/** @throws SummaryFailedError if this many more requests would be too many. */
export function checkCalls(
  { made, most }: { made: SummaryCall[]; most: number },
  more: number,
): void {
  if (made.length + more <= most) return
  throw new SummaryFailedError(
    `The summary would take ${made.length + more} requests, but only ${most} are allowed. Give the summarizer a model with a larger window, or raise maxCalls.`,
    { calls: made },
  )
}

export function sizingOf(name: string, { live, counter }: SummaryRequest, window?: Window): Sizing {
  // What a session was told about its own model, or has learned, is more reliable than a table.
  return live.model === name
    ? { window: window ?? live.window, ratio: counter.ratio }
    : { window: window ?? windowOf(name) ?? live.window, ratio: startingRatio(name) }
}

/** How to read a head: at once, or in parts, each of which updates the summary of those before. */
interface HeadReading {
  parts: readonly string[][]
  previous: string | undefined
  /** The size of all requests together, in counted tokens. */
  tokens: EstimatedTokens
}

/**
 * Divides a head into the requests that it needs.
 * @throws SummaryFailedError if the window is too small for any request.
 */
export function readHead(
  name: string,
  { head, previous, instruction, budget, counter }: SummaryRequest,
  sizing: Sizing,
  answer: ModelTokens,
): HeadReading {
  const count = counter.text
  // It is in the system prompt and after the data.
  const asked = count(updateInstruction(instruction))
  const fixed = plus(asked, asked, aroundData)
  const room = readingRoom(sizing, { answer, beside: fixed })
  const steps = stepTexts(head)
  const earlier = previous && clipText(previous, { budget: share(room, 0.5), count, note: '…' })
  const earlierTokens = count(earlier ?? '')
  const size = sumEstimated(steps.map((step) => plus(count(step), betweenSteps)))
  if (plus(size, earlierTokens) <= room) {
    return { parts: [steps], previous: earlier, tokens: plus(fixed, earlierTokens, size) }
  }
  const summary = most(earlierTokens, budget)
  const left = minus(room, summary)
  if (left < leastRoom) {
    const problem = `The window of ${name} (${sizing.window.context} tokens) has no room for the conversation besides the instruction and a summary of ${toModel(budget, sizing.ratio)} tokens. Use a summarizer with a larger window.`
    throw new SummaryFailedError(problem, { calls: [] })
  }
  const parts = foldTranscript(steps, { room: left, count })
  return { parts, previous: earlier, tokens: plus(size, ...parts.map(() => plus(fixed, summary))) }
}

/** Asks for the summary of a head alone, part by part; stops at the first unusable answer. */
export async function summaryOfHead(
  { template, budget, counter, instruction }: SummaryRequest,
  { parts, previous }: Pick<HeadReading, 'parts' | 'previous'>,
  ask: (question: Pick<HeadQuestion, 'system' | 'prompt'>) => Promise<SummaryAnswer>,
): Promise<SummaryAnswer> {
  let before = previous
  let said: SummaryAnswer = { text: '', finish: 'other' }
  for (const [index, steps] of parts.entries()) {
    const system = index > 0 ? updateInstruction(instruction) : instruction
    const part = parts.length > 1 ? { number: index + 1, of: parts.length } : undefined
    const prompt = headPrompt({ previous: before, steps, instruction: system, part })
    said = await ask({ system, prompt })
    const checked = { template, budget: estimatedTokens(Infinity), count: counter.text }
    if (summaryProblems(said, checked).length > 0) return said
    before = clipText(said.text, { budget, count: counter.text, note: '…' })
  }
  return said
}
