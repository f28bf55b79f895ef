import { createHmac } from 'node:crypto'
import { headerText } from '../server/headers.ts'
import type { Api } from '../wires/wire.ts'
import type { Headers } from '../upstream/upstream.ts'
import type { IncomingHttpHeaders } from 'node:http'
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

/** Who causes work: the keys that a request carries, and the headers that the operator has named. */
export interface Caller {
  readonly keys: readonly string[]
  /** What stands in those headers; '' where one is missing. */
  readonly identity: readonly string[]
}

/** The caller of a request; `identity` names the headers that tell callers apart who share a key. */
export function callerOf(
  { headers, search }: { headers: Headers | IncomingHttpHeaders; search: string },
  identity: readonly string[] = [],
): Caller {
  const keys = keyHeaders.map((name) => headerText(headers, name) ?? '')
  const inQuery = search === '' ? '' : (new URLSearchParams(search).get('key') ?? '')
  return {
    keys: [...keys, inQuery],
    identity: identity.map((name) => headerText(headers, name) ?? ''),
  }
}

/** Whether a caller says who it is: others may send the same nothing. */
export function isTold({ keys, identity }: Caller): boolean {
  if (identity.length > 0) return identity.every((text) => text !== '')
  return keys.some((key) => key !== '')
}

/**
 * The name of a caller at an API, under which its sessions are kept. It is an HMAC: neither a key nor an
 * identity is ever kept, and different callers share nothing.
 */
export function worldOf(secret: Uint8Array, api: Api, { keys, identity }: Caller): World {
  const hmac = createHmac('sha256', secret)
  // A length before each, so that no two rows of keys are the same text.
  for (const part of [api, ...keys, ...identity]) hmac.update(`${part.length}:${part}`)
  return hmac.digest('base64url') as World
}
