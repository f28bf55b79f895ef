import type { IncomingHttpHeaders } from 'node:http'
import type { Headers } from '../upstream/upstream.ts'

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

/** Our own: whatever a client or a provider says under these names is not passed on. */
const ownPrefix = 'x-throughline-'

/** The headers of a request or an answer that go on to the other side. */
export function passedHeaders(
  headers: Headers | IncomingHttpHeaders,
): Record<string, string | string[]> {
  const listed = String(headers['connection'] ?? '').split(',')
  const named = new Set(listed.map((name) => name.trim().toLowerCase()))
  const passed: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || ofTheConnection.has(name)) continue
    if (named.has(name) || name.startsWith(ownPrefix)) continue
    passed[name] = value as string | string[]
  }
  return passed
}

export function headerText(
  headers: Headers | IncomingHttpHeaders,
  name: string,
): string | undefined {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
