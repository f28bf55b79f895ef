import type { Message } from '../../log/message.ts'
import type { ModelTokens } from '../../tokens/units.ts'
import type { SummaryCall } from '../summary/with-model/summarizer.ts'

/**
 * A provider's own way to compact. What it makes stands in the checkpoint beside our summary, and is
 * sent in its place while the same provider answers. It may reject: then the next rung is tried.
 */
export interface ProviderCompactor {
  /** Who reads what it makes: `openai`, `anthropic`. */
  provider: string
  /** Shown in checkpoints and reports. */
  name: string
  compact: (request: ProviderRequest, options: { signal?: AbortSignal }) => Promise<ProviderAnswer>
}

/** What a provider is asked to compact. */
export interface ProviderRequest {
  /** The conversation from its beginning to the end of the head, as it was sent. */
  messages: readonly Message[]
  system: string | undefined
  /** Tool schemas, as they are sent. */
  tools: unknown
  /** The session's model, if known. */
  model: string | undefined
  /** About how large the messages are, with system prompt and tools, in tokens of the model. */
  tokens: ModelTokens
}

/** What a provider made of it. */
export interface ProviderAnswer {
  /** What is sent in place of the messages, its own compaction last. */
  messages: Message[]
  /** Each request that was made, in order. */
  calls: readonly SummaryCall[]
}
