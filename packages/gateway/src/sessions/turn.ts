import type { Exchange, OwnCall } from '../tools/tool-wire.ts'
import type { Fitted, Heard } from './live-session.ts'
import type { Identity } from '../identity/identify.ts'
import type { Usage } from 'throughline'

/** What is sent for a request, and what is known of its session. */
export interface Turn {
  session: string
  how: Identity['how']
  /** `undefined` where the request goes out as it came. */
  body: Buffer | undefined
  did: Fitted['did']
  tokens: number
  /** After a refusal: another body, or `undefined` where there is none. */
  recover: (error: unknown) => Promise<Buffer | undefined>
  answered: (usage: Usage | undefined, model: string | undefined) => void
  /** Answers a call of a tool of ours. */
  reply: (call: OwnCall) => Promise<string>
  /** Keeps what stands behind this request, and the client has not seen. */
  hide: (exchange: Exchange) => Promise<void>
}

/** What was heard of the answer to a request with so many elements. */
export function heardOf(after: number, usage: Usage | undefined, model: string | undefined): Heard {
  return { after, ...(usage && { usage }), ...(model !== undefined && { model }) }
}
