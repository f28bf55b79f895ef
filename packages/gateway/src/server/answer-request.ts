import { UpstreamError } from '../upstream/errors.ts'
import { publicUpstreams, targetOf, type Upstreams } from '../upstream/targets.ts'
import { apiFor, wireFor } from '../wires/wires.ts'
import { headerText, passedHeaders } from './headers.ts'
import { passOn, sayError } from './forward.ts'
import { BodyTooLargeError, readBody } from './read-body.ts'
import type { GatewayStore } from '../store/gateway-store.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Upstream } from '../upstream/upstream.ts'

/** What every request is answered with. */
export interface Serving {
  upstream: Upstream
  upstreams: Upstreams
  store: GatewayStore
  bodyLimit: number
}

/** Answers one request, whatever happens: it never throws. */
export async function answerRequest(
  serving: Serving,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const gone = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort()
  })
  try {
    await answer(serving, { incoming, outgoing, signal: gone.signal })
  } catch (error) {
    if (gone.signal.aborted) return
    if (error instanceof BodyTooLargeError) {
      sayError(outgoing, 413, { type: 'body_too_large', message: error.message })
      return
    }
    const isKnown = UpstreamError.isInstance(error)
    const message = isKnown ? error.message : 'The answer broke off.'
    sayError(outgoing, 502, { type: 'upstream_error', message })
  }
}

interface Exchange {
  incoming: IncomingMessage
  outgoing: ServerResponse
  signal: AbortSignal
}

async function answer(serving: Serving, { incoming, outgoing, signal }: Exchange): Promise<void> {
  const { upstream, upstreams, bodyLimit } = serving
  const { method = 'GET', headers } = incoming
  if (headers.upgrade !== undefined) {
    const message = 'This gateway speaks HTTP without upgrades: use server-sent events.'
    outgoing.setHeader('connection', 'close')
    return sayError(outgoing, 426, { type: 'upgrade_not_supported', message })
  }
  const [path = '/', query] = (incoming.url ?? '/').split('?', 2)
  const search = query === undefined ? '' : `?${query}`
  const asked = method === 'POST' ? wireFor(path) : undefined
  const api = asked?.wire.api ?? apiFor(path, headers)
  const url = targetOf(upstreams[api] ?? publicUpstreams[api], path, search)
  const declared = Number(headerText(headers, 'content-length') ?? 0)
  if (declared > bodyLimit) throw new BodyTooLargeError(bodyLimit)
  const hasBody = declared > 0 || headers['transfer-encoding'] !== undefined
  const body = hasBody ? await readBody(incoming, bodyLimit) : undefined
  const given = await upstream.send({ method, url, headers: passedHeaders(headers), body, signal })
  await passOn(outgoing, given)
}
