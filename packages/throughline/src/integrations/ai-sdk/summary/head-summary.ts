import { clipText } from '../../../compaction/clip/clip.ts'
import { SummaryFailedError } from '../../../compaction/errors.ts'
import { summaryProblems } from '../../../compaction/summary/check.ts'
import { foldTranscript } from '../../../compaction/summary/with-model/fold-transcript.ts'
import { readingRoom, type Sizing } from '../../../compaction/summary/with-model/request-shape.ts'
import {
  headPrompt,
  updateInstruction,
} from '../../../compaction/summary/with-model/summary-prompt.ts'
import { stepTexts } from '../../../compaction/summary/transcript-text.ts'
import { modelId } from '../provider-options.ts'
import {
  askForSummary,
  checkCalls,
  type SummaryCalls,
  type SummaryModel,
  type SummarySettings,
} from './summary-model.ts'
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
} from '../../../tokens/units.ts'
import type {
  SummaryAnswer,
  SummaryRequest,
} from '../../../compaction/summary/with-model/summarizer.ts'

/** How to read a head: at once, or in parts, each of which updates the summary of those before. */
export interface HeadReading {
  parts: readonly string[][]
  previous: string | undefined
  /** The size of all requests together, in counted tokens. */
  tokens: EstimatedTokens
}

// With less room than this, a model reads almost nothing of what it summarizes.
const leastRoom = estimatedTokens(400)

// The elements, and the text between them.
const aroundData = estimatedTokens(100)
const betweenSteps = estimatedTokens(1)

/**
 * Divides a head into the requests that it needs.
 * @throws SummaryFailedError if the window is too small for any request.
 */
export function readHead(
  { head, previous, instruction, budget, counter }: SummaryRequest,
  sizing: Sizing,
  { model, answer }: { model: SummaryModel; answer: ModelTokens },
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
  if (minus(room, summary) < leastRoom) {
    throw new SummaryFailedError(
      `The window of ${modelId(model.model)} (${sizing.window.context} tokens) has no room for the conversation besides the instruction and a summary of ${toModel(budget, sizing.ratio)} tokens. Use a summarizer with a larger window.`,
      { calls: [] },
    )
  }
  const parts = foldTranscript(steps, { room: minus(room, summary), count })
  return { parts, previous: earlier, tokens: plus(size, ...parts.map(() => plus(fixed, summary))) }
}

/** Asks for the summary of a head alone, part by part; stops at the first unusable answer. */
export async function summaryOfHead(
  model: SummaryModel,
  request: SummaryRequest,
  {
    reading,
    answer,
    settings,
    calls,
  }: { reading: HeadReading; answer: ModelTokens; settings: SummarySettings; calls: SummaryCalls },
): Promise<SummaryAnswer> {
  const { parts } = reading
  const { template, budget, counter } = request
  checkCalls(calls, parts.length)
  let { previous } = reading
  let said: SummaryAnswer = { text: '', finish: 'other' }
  for (const [index, steps] of parts.entries()) {
    const instruction = index > 0 ? updateInstruction(request.instruction) : request.instruction
    const part = parts.length > 1 ? { number: index + 1, of: parts.length } : undefined
    said = await askForSummary(
      model,
      {
        sent: 'whole',
        instructions: [{ role: 'system', content: instruction }],
        messages: [{ role: 'user', content: headPrompt({ previous, steps, instruction, part }) }],
        maxOutputTokens: answer,
        settings,
      },
      calls,
    )
    const checked = { template, budget: estimatedTokens(Infinity), count: counter.text }
    if (summaryProblems(said, checked).length > 0) return said
    previous = clipText(said.text, { budget, count: counter.text, note: '…' })
  }
  return said
}
