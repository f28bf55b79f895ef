import { createHmac } from 'node:crypto'
import { headerText } from '../server/headers.ts'
import type { Api } from '../wires/wire.ts'
import type { Headers } from '../upstream/upstream.ts'
import type { World } from '../store/gateway-store.ts'

const keyHeaders = [
  'authorization',
  'x-api-key',
  'x-goog-api-key',
  'api-key',
  // Of gateways and clouds in front of a provider, where all share the provider's own key.
  'x-portkey-api-key',
  'cf-aig-authorization',
  'x-litellm-api-key',
  'ocp-apim-subscription-key',
]

/**
 * Whose request it is, by the key that it carries. Only the HMAC of the key is ever kept, and
 * callers with different keys share nothing.
 */
export function worldOf(
  secret: Uint8Array,
  { api, headers, search }: { api: Api; headers: Headers; search: string },
): World {
  const hmac = createHmac('sha256', secret)
  // A length before each, so that no two rows of keys are the same text.
  for (const part of [api, ...keysOf({ headers, search })]) hmac.update(`${part.length}:${part}`)
  return hmac.digest('base64url') as World
}

/** The keys that a request carries. */
export function keysOf({ headers, search }: { headers: Headers; search: string }): string[] {
  const keys = keyHeaders.map((name) => headerText(headers, name) ?? '')
  return [...keys, search === '' ? '' : (new URLSearchParams(search).get('key') ?? '')]
}
