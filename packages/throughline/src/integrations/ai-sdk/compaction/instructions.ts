import { isSummaryBlock } from '../../../compaction/render/summary-block.ts'
import type { SystemModelMessage, FinishReason, LanguageModelUsage, ModelMessage } from 'ai'

/** The forms of a system prompt that the SDK accepts. */
export type Instructions = string | SystemModelMessage | SystemModelMessage[]

/** The text of a system prompt, without what a compaction added after it. */
export function instructionsText(instructions: Instructions | undefined): string | undefined {
  const texts = systemMessages(instructions)
    .map(({ content }) => content)
    .filter((content) => !isSummaryBlock(content))
  return texts.length === 0 ? undefined : texts.join('\n\n')
}

/** Summaries in a system prompt, if the policy wants them there. */
export function summariesIn(instructions: Instructions | undefined): SystemModelMessage[] {
  return systemMessages(instructions).filter(({ content }) => isSummaryBlock(content))
}

/** The original system prompt, and what a compaction adds after it. */
export function withSummaries(
  initial: Instructions | undefined,
  summaries: readonly SystemModelMessage[],
): SystemModelMessage[] {
  return [
    ...systemMessages(initial).filter(({ content }) => !isSummaryBlock(content)),
    ...summaries,
  ]
}

function systemMessages(instructions: Instructions | undefined): SystemModelMessage[] {
  if (instructions === undefined || instructions === '') return []
  if (typeof instructions === 'string') return [{ role: 'system', content: instructions }]
  return Array.isArray(instructions) ? instructions : [instructions]
}

/** What the SDK passes to `prepareStep`, as far as it matters here. AI SDK 6 passes no instructions. */
export interface StepToPrepare {
  /** In AI SDK 7: the messages sent last, and the messages of that step. */
  messages: ModelMessage[]
  instructions?: Instructions | undefined
  /** The messages that the call was made with. */
  initialInstructions?: Instructions | undefined
  steps: readonly FinishedStep[]
}

export interface FinishedStep {
  usage: LanguageModelUsage
  finishReason: FinishReason
  /** The first versions of AI SDK 6 say it in the response alone. */
  model?: { modelId: string }
  response?: { modelId?: string }
}

/** A step with its answer and the results of its calls. */
export interface EndedStep extends FinishedStep {
  /** In AI SDK 6: those of the steps before, too. */
  response: { modelId?: string; messages: readonly ModelMessage[] }
}

/** The settings that replace those of a step. */
export interface PreparedStep {
  messages: ModelMessage[]
  instructions?: Instructions
}
