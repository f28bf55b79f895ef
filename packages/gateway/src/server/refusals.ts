import { apiFor, wireFor } from '../wires/wires.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Api } from '../wires/wire.ts'

/** Why this gateway does not serve a request. */
export interface Refusal {
  status: 400 | 401 | 403 | 408 | 429 | 503
  /** In our words: `budget_spent`, … */
  type: string
  message: string
  /** After how many seconds it may be asked again. */
  again?: number
}

/** A request is not served, and why: its client is told in the words of its provider. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

type Form = (refusal: Refusal) => object

/** A refusal in the words of the provider that was asked, so that its client knows what to do. */
export function refusalOf(
  api: Api,
  refusal: Refusal,
): { status: number; headers: Record<string, string>; body: string } {
  const { status, type, message, again } = refusal
  const mayTryAgain = status === 429 || status === 503
  const plain = { type: 'error', error: { type, message, code: type } }
  return {
    status,
    headers: {
      'content-type': 'application/json',
      ...(again !== undefined && { 'retry-after': String(again) }),
    },
    body: JSON.stringify(mayTryAgain ? forms[api](refusal) : plain),
  }
}

/** Refuses a request in the words of the provider that it asks. What it would still have sent is not read. */
export function sayRefusal(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  refusal: Refusal,
): void {
  if (outgoing.headersSent) return void outgoing.destroy()
  const [path = '/'] = (incoming.url ?? '/').split('?')
  const api = wireFor(path)?.wire.api ?? apiFor(path, incoming.headers)
  const { status, headers, body } = refusalOf(api, refusal)
  outgoing.writeHead(status, { ...headers, connection: 'close' }).end(body)
}

const forms: Readonly<Record<Api, Form>> = {
  // https://platform.openai.com/docs/guides/error-codes
  openai: ({ status, type, message }) => ({
    error: { message, param: null, ...openaiWords(status, type) },
  }),
  // https://docs.anthropic.com/en/api/errors
  anthropic: ({ status, message }) => ({
    type: 'error',
    error: { type: status === 429 ? 'rate_limit_error' : 'overloaded_error', message },
  }),
  // https://ai.google.dev/gemini-api/docs/troubleshooting
  gemini: ({ status, message, again }) => ({
    error: {
      code: status,
      message,
      status: status === 429 ? 'RESOURCE_EXHAUSTED' : 'UNAVAILABLE',
      ...(again !== undefined && { details: [retryInfo(again)] }),
    },
  }),
}

/** What is spent for long is another matter than what comes back in a moment. */
function openaiWords(status: number, type: string): { type: string; code: string | null } {
  if (status !== 429) return { type: 'server_error', code: null }
  if (type === 'budget_spent') return { type: 'insufficient_quota', code: 'insufficient_quota' }
  return { type: type === 'budget_rate' ? 'tokens' : 'requests', code: 'rate_limit_exceeded' }
}

function retryInfo(seconds: number): object {
  return { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${seconds}s` }
}
