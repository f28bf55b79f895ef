import type { Caller } from '../identity/caller.ts'
import type { Headers } from '../server/headers.ts'
import type { Duplex, Readable } from 'node:stream'

/** What a request asks of which model, for its price. */
export interface AskedOfModel {
  model?: string
  /** How many bytes it has where they are not packed. */
  bytes?: number
  /** The most that may be answered, in tokens, if it says so. */
  output?: number
}

/** A request to a provider, as it leaves the gateway. */
export interface UpstreamRequest {
  /** Who causes it. */
  caller: Caller
  method: string
  url: URL
  headers: Headers
  body: Buffer | Readable | undefined
  /** What is known of it; nothing of what is only passed on. */
  asks?: AskedOfModel | undefined
  /** The client has gone. */
  signal: AbortSignal
}

/** What a provider answers; its bytes are read as they come. */
export interface UpstreamAnswer {
  status: number
  headers: Headers
  body: Readable
}

/** A connection that a provider has opened for both to speak at any time, such as a WebSocket. */
export interface UpstreamConnection {
  headers: Headers
  socket: Duplex
}

/** The way to the providers. */
export interface Upstream {
  /** @throws UpstreamError if the provider cannot be reached, or the signal's reason. */
  send: (request: UpstreamRequest) => Promise<UpstreamAnswer>
  /** Asks for a WebSocket; the provider may answer as usual. Where it is missing, nobody gets one. */
  connect?: (request: Omit<UpstreamRequest, 'body'>) => Promise<UpstreamConnection | UpstreamAnswer>
  close: () => Promise<void>
}
