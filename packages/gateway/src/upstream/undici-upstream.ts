import { EnvHttpProxyAgent, type Dispatcher } from 'undici'
import { UpstreamError } from './errors.ts'
import type { Headers } from '../server/headers.ts'
import type { Upstream } from './upstream.ts'

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
    close: () => agent.close(),
  }
}
