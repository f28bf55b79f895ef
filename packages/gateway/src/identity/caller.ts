import { createHash, createHmac } from 'node:crypto'
import { headerText, type Headers } from '../server/headers.ts'
import type { Api } from '../wires/wire.ts'
import type { IncomingHttpHeaders } from 'node:http'
import type { World } from '../store/gateway-store.ts'

// Where providers look for a key, each for one of them.
const ofProviders = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key']
const keyHeaders = [
  ...ofProviders,
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
  const inQuery = search === '' ? [] : new URLSearchParams(search).getAll('key')
  return {
    keys: [...keys, ...(inQuery.length === 0 ? [''] : inQuery)],
    identity: identity.map((name) => headerText(headers, name) ?? ''),
  }
}

/** Whether a caller says who it is: others may send the same nothing. */
export function isTold({ keys, identity }: Caller): boolean {
  if (identity.length > 0) return identity.every((text) => text !== '')
  return keys.some((key) => key !== '')
}

/** One text for each caller; it is never kept, because it has the keys in it. */
export function nameOf({ keys, identity }: Caller): string {
  return JSON.stringify([keys, identity])
}

/** The keys of a caller by their SHA-256: all of them, and those among which a provider chooses. */
export function keyHashes({ keys }: Caller): { all: Set<string>; ofProviders: Set<string> } {
  const hashes = keys.map((key) => (key === '' ? '' : sha256(key.replace(/^bearer\s+/i, ''))))
  const isOfProvider = (index: number) => index < ofProviders.length || index >= keyHeaders.length
  const some = (is: (index: number) => boolean) =>
    new Set(hashes.filter((hash, index) => hash !== '' && is(index)))
  return { all: some(() => true), ofProviders: some(isOfProvider) }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/**
 * The name of a caller at an API, under which its sessions are kept. It is an HMAC: neither a key nor an
 * identity is ever kept, and different callers share nothing.
 */
export function worldOf(secret: Uint8Array, api: Api, caller: Caller): World {
  const before = worlds.get(caller) ?? []
  const known = before.find((one) => one.secret === secret && one.api === api)
  if (known) return known.world
  const world = signed(secret, [api, ...caller.keys, ...caller.identity]) as World
  worlds.set(caller, [...before, { secret, api, world }])
  return world
}

/** For each caller as long as its connection: a request asks for them many times. */
const worlds = new WeakMap<Caller, { secret: Uint8Array; api: Api; world: World }[]>()

const callers = new WeakMap<object, Caller>()

/** The caller, or the one that is the same and has asked over this connection before. */
export function callerOn(connection: object, caller: Caller): Caller {
  const before = callers.get(connection)
  if (before && nameOf(before) === nameOf(caller)) return before
  callers.set(connection, caller)
  return caller
}

/** With what the ids of a caller's own budgets begin, under which is kept what it has used of all APIs. */
export function accountOf(secret: Uint8Array, { keys, identity }: Caller): string {
  return `caller ${signed(secret, ['account', ...keys, ...identity])}`
}

function signed(secret: Uint8Array, parts: readonly string[]): string {
  const hmac = createHmac('sha256', secret)
  // A length before each, so that no two rows of parts are the same text.
  for (const part of parts) hmac.update(`${part.length}:${part}`)
  return hmac.digest('base64url')
}
