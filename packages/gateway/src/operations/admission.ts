import { FairShares } from '../server/fair-shares.ts'
import { keyHashes, nameOf, type Caller } from '../identity/caller.ts'
import type { KeyPolicy, TeamConfig } from './config.ts'
import type { Refusal } from '../server/refusals.ts'

/** A request that may be served. */
export interface Admitted {
  caller: Caller
  policy: KeyPolicy | undefined
  /** Takes a place, once it has come in whole; or says why there is none. */
  enter: () => Refusal | undefined
  release: () => void
}

/** Who is served, and how many at a time. Keys are known by their SHA-256 alone. */
export interface Admission {
  admit: (asked: { path: string; caller: Caller }) => Admitted | Refusal
}

export function createAdmission(config: () => TeamConfig): Admission {
  const places = new FairShares(() => config().limits.concurrent)
  const running = new Map<string, number>()
  const count = (of: string, change: 1 | -1): void => {
    const now = (running.get(of) ?? 0) + change
    if (now > 0) running.set(of, now)
    else running.delete(of)
  }

  return {
    admit({ path, caller }) {
      if (climbs(path)) {
        return refusal(400, 'invalid_path', 'A path must not lead out of itself.')
      }
      const { keys, onlyKnownKeys, callers } = config()
      const carried = keyHashes(caller)
      const known = keys.filter(({ sha256 }) => carried.all.has(sha256))
      const [policy] = known
      // The provider chooses among several as it likes, and may not take the one that is known here.
      const isOpen = carried.ofProviders.size > 1 && (policy || onlyKnownKeys)
      if (isOpen || known.length > 1) {
        const message = 'This request carries several keys: send one, in one place.'
        return refusal(400, 'several_keys', message)
      }
      if (onlyKnownKeys && !policy) {
        return refusal(401, 'unknown_key', 'This gateway does not know the key of this request.')
      }
      const name = nameOf(caller)
      const most = [
        ...(policy?.concurrent === undefined
          ? []
          : [{ of: `key ${policy.name}`, whose: `The key ${policy.name}`, is: policy.concurrent }]),
        ...(callers.concurrent === undefined
          ? []
          : [{ of: `caller ${name}`, whose: 'This caller', is: callers.concurrent }]),
      ]
      let isIn = false
      return {
        caller,
        policy,
        // Whoever sends a header and a byte takes no place from anybody.
        enter() {
          if (isIn) return undefined
          const full = most.find(({ of, is }) => (running.get(of) ?? 0) >= is)
          if (full) {
            const message = `${full.whose} has ${full.is} requests under way, its limit.`
            return refusal(429, 'too_many_requests', message)
          }
          if (!places.take(name, 1)) {
            const message = 'This gateway is full: try again soon.'
            return refusal(503, 'too_many_requests', message)
          }
          isIn = true
          for (const { of } of most) count(of, 1)
          return undefined
        },
        release() {
          if (!isIn) return
          isIn = false
          places.give(name, 1)
          for (const { of } of most) count(of, -1)
        },
      }
    },
  }
}

/** The policy of the key that a caller has, if there is one. */
export function policyOf(
  { keys }: Pick<TeamConfig, 'keys'>,
  caller: Caller,
): KeyPolicy | undefined {
  if (keys.length === 0) return undefined
  const { all } = keyHashes(caller)
  return keys.find(({ sha256 }) => all.has(sha256))
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
