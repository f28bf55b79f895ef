import { PassThrough } from 'node:stream'
import { EnvHttpProxyAgent, type Dispatcher } from 'undici'
import { UpstreamError } from './errors.ts'
import type { Headers } from '../server/headers.ts'
import type { Upstream, UpstreamAnswer, UpstreamConnection } from './upstream.ts'

export interface UndiciUpstreamOptions {
  /** How long a connection may take, in milliseconds. */
  connectTimeout?: number
  /** How long a provider may say nothing, before its answer or in it, in milliseconds. */
  silence?: number
}

const usualConnectTimeout = 15_000
// A model may think for long before it says the first word.
const usualSilence = 15 * 60_000

/** Providers over HTTP, through the proxy that the environment names, if it names one. */
export function undiciUpstream({
  connectTimeout = usualConnectTimeout,
  silence = usualSilence,
}: UndiciUpstreamOptions = {}): Upstream {
  const agent = new EnvHttpProxyAgent({
    connect: { timeout: connectTimeout },
    headersTimeout: silence,
    bodyTimeout: silence,
    keepAliveTimeout: 30_000,
  })
  return {
    async send({ method, url, headers, body, signal }) {
      try {
        const answer = await agent.request({
          origin: url.origin,
          // Also where it ends with a lone question mark.
          path: url.href.slice(url.origin.length),
          method: method as Dispatcher.HttpMethod,
          headers: headers as Record<string, string | string[]>,
          body: body ?? null,
          signal,
        })
        const { statusCode: status, headers: answered } = answer
        return { status, headers: answered as Headers, body: answer.body }
      } catch (cause) {
        if (signal.aborted) throw cause
        throw new UpstreamError({ origin: url.origin, cause })
      }
    },
    async connect({ method, url, headers, signal }) {
      try {
        const options = {
          origin: url.origin,
          path: url.href.slice(url.origin.length),
          method: method as Dispatcher.HttpMethod,
          headers: headers as Record<string, string | string[]>,
          upgrade: 'websocket',
        }
        return await new Promise((resolve, reject) => {
          agent.dispatch(options, connecting({ resolve, reject, signal }))
        })
      } catch (cause) {
        if (signal.aborted) throw cause
        throw new UpstreamError({ origin: url.origin, cause })
      }
    },
    close: () => agent.close(),
  }
}

interface Connecting {
  resolve: (said: UpstreamConnection | UpstreamAnswer) => void
  reject: (error: Error) => void
  signal: AbortSignal
}

/** What comes where a WebSocket was asked for: one, or any other answer. */
function connecting({ resolve, reject, signal }: Connecting): Dispatcher.DispatchHandler {
  const body = new PassThrough()
  return {
    onRequestStart(controller) {
      signal.addEventListener('abort', () => controller.abort(new Error('The client has gone.')))
    },
    onRequestUpgrade(_, __, headers, socket) {
      resolve({ headers: headers as Headers, socket })
    },
    onResponseStart(_, status, headers) {
      resolve({ status, headers: headers as Headers, body })
    },
    onResponseData(_, chunk) {
      body.write(chunk)
    },
    onResponseEnd() {
      body.end()
    },
    onResponseError(_, error) {
      body.destroy(error)
      reject(error)
    },
  }
}
