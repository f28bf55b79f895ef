/**
 * A message of the Messages API, as far as Throughline looks at it: the SDK's `MessageParam` and
 * `BetaMessageParam`, and the `Message` that comes as an answer.
 */
export interface AnthropicMessage {
  role: 'user' | 'assistant' | 'system'
  /** Only a system message may have none. */
  content?: string | readonly { type: string }[]
}
