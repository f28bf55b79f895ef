import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { KeyPolicy, TeamConfig } from './config.ts'
import type { Headers } from '../upstream/upstream.ts'
import type { Refusal } from '../server/refusals.ts'

/** A request that may be served. */
export interface Admitted {
  /** The policy of its key, if it has one. */
  policy: KeyPolicy | undefined
  /** Takes a place, once it has come in whole; or says why there is none. */
  enter: () => Refusal | undefined
  release: () => void
}

/** Who is served, and how many at a time. Keys are known by their SHA-256 alone. */
export interface Admission {
  admit: (asked: {
    path: string
    headers: IncomingHttpHeaders
    search: string
  }) => Admitted | Refusal
}

export function createAdmission(config: () => TeamConfig): Admission {
  let running = 0
  const runningOf = new Map<string, number>()

  return {
    admit({ path, headers, search }) {
      if (climbs(path)) {
        return refusal(400, 'invalid_path', 'A path must not lead out of itself.')
      }
      const { limits, keys, onlyKnownKeys } = config()
      const hashes = keyHashes(headers, search)
      const policy = policyOf({ keys }, hashes)
      // The provider chooses among several as it likes, and may not take the one that is known here.
      if (hashes.size > 1 && (policy || onlyKnownKeys)) {
        const message = 'This request carries several keys: send one, in one place.'
        return refusal(400, 'several_keys', message)
      }
      if (onlyKnownKeys && !policy) {
        return refusal(401, 'unknown_key', 'This gateway does not know the key of this request.')
      }
      let isIn = false
      return {
        policy,
        // Whoever sends a header and a byte takes no place from anybody.
        enter() {
          if (isIn) return undefined
          if (running >= limits.concurrent) {
            const message = 'This gateway is full: try again soon.'
            return refusal(503, 'too_many_requests', message)
          }
          const own = policy && (runningOf.get(policy.name) ?? 0)
          if (policy && own !== undefined && own >= (policy.concurrent ?? Infinity)) {
            const message = `The key ${policy.name} has ${own} requests under way, its limit.`
            return refusal(429, 'too_many_requests', message)
          }
          isIn = true
          running += 1
          if (policy) runningOf.set(policy.name, (own ?? 0) + 1)
          return undefined
        },
        release() {
          if (!isIn) return
          isIn = false
          running -= 1
          if (policy) runningOf.set(policy.name, (runningOf.get(policy.name) ?? 1) - 1)
        },
      }
    },
  }
}

/** The policy of the key that a request carries, if it has one. */
export function policyOf(
  { keys }: Pick<TeamConfig, 'keys'>,
  carried: ReadonlySet<string>,
): KeyPolicy | undefined {
  return keys.find(({ sha256 }) => carried.has(sha256))
}

/** The hashes of all keys that a request carries, wherever a provider may look for one. */
export function keyHashes(headers: Headers, search: string): ReadonlySet<string> {
  const given = [
    String(headers['authorization'] ?? '').replace(/^bearer\s+/i, ''),
    ...['x-api-key', 'x-goog-api-key', 'api-key'].map((name) => headers[name]),
    ...(search === '' ? [] : new URLSearchParams(search).getAll('key')),
  ]
  const keys = given.filter((key) => typeof key === 'string' && key !== '') as string[]
  return new Set(keys.map((key) => createHash('sha256').update(key).digest('hex')))
}

/** Whether a path has a segment that leads upwards, however it is written. */
function climbs(path: string): boolean {
  return /(?:^|[\\/])(?:\.|%2e){1,2}(?:[\\/]|$)/i.test(path.replace(/%2f|%5c/gi, '/'))
}

// How many seconds a client waits where there may be room at any moment.
const soon = 5

function refusal(status: Refusal['status'], type: string, message: string): Refusal {
  const mayTryAgain = status === 429 || status === 503
  return { status, type, message, ...(mayTryAgain && { again: soon }) }
}
