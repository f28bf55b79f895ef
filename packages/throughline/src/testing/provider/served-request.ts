/** A request that the provider received. */
export interface ServedRequest {
  /** Counted from 1. */
  number: number
  /** The API that it uses: `anthropic-messages`, … */
  wire: string
  path: string
  /** The name of the requested model. */
  model: string
  /** The size of its body by the provider's own count: bytes divided by four. */
  tokens: number
  /** As it was sent. */
  body: Readonly<Record<string, unknown>>
  /** Its content, in order, in the same form for every API. */
  said: readonly SaidPart[]
  /** The names of the tools that the model may call. */
  tools: readonly string[]
  /** What was wrong with it by the provider's own rules, if it was rejected for that. */
  refused?: 'overflow' | 'illegal'
}

/** A part of what a scripted provider says. */
export type SaidPart =
  | { type: 'text'; role: string; text: string }
  | { type: 'call'; id: string; name: string; input: unknown }
  | { type: 'result'; id: string; text: string }
  /** An image, a file or anything else that isn't text. */
  | { type: 'other'; role: string; kind: string }
