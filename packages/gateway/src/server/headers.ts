import type { IncomingHttpHeaders } from 'node:http'

/** Headers by their names in small letters. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** Of one connection alone (RFC 9110, 7.6.1), and what says how long a body is. */
const ofTheConnection: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * What the operator’s own network says of a client, and what clients keep for the operator’s own sites: no
 * provider is told. `*` stands for the rest of a name.
 */
export const usualDropped: readonly string[] = [
  'cookie',
  'forwarded',
  'via',
  'x-forwarded-*',
  'x-original-*',
  'x-envoy-*',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'cf-connecting-ipv6',
  'cf-ipcountry',
  'cf-ray',
  'cf-visitor',
  'x-amzn-trace-id',
  'x-amzn-oidc-*',
  'x-auth-request-*',
  'x-goog-iap-*',
  'x-goog-authenticated-user-*',
]

/** Our own: whatever a client or a provider says under these names is not passed on. */
const ownPrefix = 'x-throughline-'

/** The headers of a request or an answer that go on to the other side. */
export function passedHeaders(
  headers: Headers | IncomingHttpHeaders,
  dropped: readonly string[] = [],
): Record<string, string | string[]> {
  const listed = String(headers['connection'] ?? '').split(',')
  const named = new Set(listed.map((name) => name.trim().toLowerCase()))
  const passed: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || ofTheConnection.has(name)) continue
    if (named.has(name) || name.startsWith(ownPrefix) || isIn(dropped, name)) continue
    passed[name] = value as string | string[]
  }
  return passed
}

function isIn(dropped: readonly string[], name: string): boolean {
  return dropped.some((one) =>
    one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one,
  )
}

/** How long a body says that it is, for where it goes on untouched. */
export function lengthHeader(headers: Headers | IncomingHttpHeaders): {
  'content-length'?: string
} {
  const length = headerText(headers, 'content-length')
  return length === undefined ? {} : { 'content-length': length }
}

export function headerText(
  headers: Headers | IncomingHttpHeaders,
  name: string,
): string | undefined {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The name of a request, if it is one that may stand in a log. */
export function requestId(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w.:-]{1,100}$/.test(value) ? value : undefined
}
