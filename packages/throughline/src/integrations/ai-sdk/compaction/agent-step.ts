import type { FinishReason, LanguageModelUsage, ModelMessage } from 'ai'
import type { Instructions } from './instructions.ts'

/** What the SDK tells whoever prepares a step, as far as it matters here. */
export interface StepToPrepare {
  /** In AI SDK 7: what was sent last, and what came of it. */
  messages: ModelMessage[]
  instructions?: Instructions | undefined
  /** Those that the call was made with. */
  initialInstructions?: Instructions | undefined
  steps: readonly FinishedStep[]
}

/** A step that the SDK has finished. */
export interface FinishedStep {
  usage: LanguageModelUsage
  finishReason: FinishReason
  model: { modelId: string }
}

/** A step with its answer and the results of its calls. */
export interface EndedStep extends FinishedStep {
  response: { messages: readonly ModelMessage[] }
}

/** What a step is sent in place of what was meant to be sent. */
export interface PreparedStep {
  messages: ModelMessage[]
  instructions?: Instructions
}
