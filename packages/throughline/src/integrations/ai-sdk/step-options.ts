import { type streamText, type LanguageModel, type ToolSet } from 'ai'

type StreamTextOptions = Parameters<typeof streamText<ToolSet>>[0]

/** The settings of `streamText` that the session decides, so a step doesn't take them. */
type Decided =
  | 'model'
  | 'messages'
  | 'prompt'
  | 'instructions'
  | 'system'
  | 'abortSignal'
  | 'stopWhen'
  | 'onError'

/**
 * A model, its tools, and any other setting of the SDK's `streamText`. Without a `timeout`, a
 * hanging request is awaited until the run is aborted.
 */
export interface AiSdkStepOptions extends Omit<StreamTextOptions, Decided> {
  model: LanguageModel
}
