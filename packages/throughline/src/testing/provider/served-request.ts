/** A request that the provider got. */
export interface ServedRequest {
  /** Counted from 1. */
  number: number
  /** The API that it is of: `anthropic-messages`, … */
  wire: string
  path: string
  /** The name of the model that it asks for. */
  model: string
  /** The size of its body by the provider's own count: bytes divided by four. */
  tokens: number
  /** As it was sent. */
  body: Readonly<Record<string, unknown>>
  /** What it says, in order, in the same words for every API. */
  said: readonly SaidPart[]
  /** The names of the tools that the model may call. */
  tools: readonly string[]
  /** What was wrong with it by the provider's own rules, where it was refused for that. */
  refused?: 'overflow' | 'illegal'
}

export type SaidPart =
  | { type: 'text'; role: string; text: string }
  | { type: 'call'; id: string; name: string; input: unknown }
  | { type: 'result'; id: string; text: string }
  /** An image, a file or whatever else is no text. */
  | { type: 'other'; role: string; kind: string }
