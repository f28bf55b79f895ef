import type { FinishReason, LanguageModelUsage, ModelMessage } from 'ai'
import type { Instructions } from './instructions.ts'

/** What the SDK passes to `prepareStep`, as far as it matters here. AI SDK 6 passes no instructions. */
export interface StepToPrepare {
  /** In AI SDK 7: the messages sent last, and the messages of that step. */
  messages: ModelMessage[]
  instructions?: Instructions | undefined
  /** The messages that the call was made with. */
  initialInstructions?: Instructions | undefined
  steps: readonly FinishedStep[]
}

/** A step that the SDK has finished. */
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
