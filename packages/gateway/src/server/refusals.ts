import { apiFor, wireFor } from '../wires/wires.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Api } from '../wires/wire.ts'

/** Why this gateway does not serve a request. */
export interface Refusal {
  status: 400 | 401 | 403 | 404 | 408 | 409 | 413 | 426 | 429 | 502 | 503
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
): { status: Refusal['status']; headers: Record<string, string>; body: string } {
  const { status, type, again } = refusal
  return {
    status,
    headers: {
      'content-type': 'application/json',
      'x-throughline-reason': type,
      ...(again !== undefined && { 'retry-after': String(again) }),
    },
    body: JSON.stringify(forms[api](refusal)),
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
  if (!incoming.complete) outgoing.setHeader('connection', 'close')
  outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
}

const forms: Readonly<Record<Api, Form>> = {
  // https://platform.openai.com/docs/guides/error-codes
  openai: ({ status, type, message }) => ({
    error: { message, param: null, ...openaiWords(status, type) },
  }),
  // https://docs.anthropic.com/en/api/errors
  anthropic: ({ status, message }) => ({
    type: 'error',
    error: { type: anthropicTypes[status], message },
  }),
  // https://ai.google.dev/gemini-api/docs/troubleshooting
  gemini: ({ status, message, again }) => ({
    error: {
      code: status,
      message,
      status: geminiStatus[status],
      ...(again !== undefined && { details: [retryInfo(again)] }),
    },
  }),
}

const anthropicTypes: Readonly<Record<Refusal['status'], string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  409: 'conflict_error',
  413: 'request_too_large',
  426: 'invalid_request_error',
  429: 'rate_limit_error',
  502: 'api_error',
  503: 'overloaded_error',
}

const geminiStatus: Readonly<Record<Refusal['status'], string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  408: 'DEADLINE_EXCEEDED',
  409: 'ABORTED',
  413: 'INVALID_ARGUMENT',
  426: 'FAILED_PRECONDITION',
  429: 'RESOURCE_EXHAUSTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
}

/** What is spent for long is another matter than what comes back in a moment. */
function openaiWords(status: number, type: string): { type: string; code: string | null } {
  if (status >= 500) return { type: 'server_error', code: null }
  if (status !== 429) return { type: 'invalid_request_error', code: type }
  if (type === 'budget_spent') return { type: 'insufficient_quota', code: 'insufficient_quota' }
  return { type: type === 'budget_rate' ? 'tokens' : 'requests', code: 'rate_limit_exceeded' }
}

function retryInfo(seconds: number): object {
  return { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${seconds}s` }
}
