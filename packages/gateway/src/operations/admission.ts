import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { KeyPolicy, TeamConfig } from './config.ts'

/** Why a request is not served. */
interface Refusal {
  status: 400 | 401 | 403 | 429 | 503
  type: string
  message: string
  /** After how many seconds it may be asked again. */
  again?: number
}

/** A request that is served. */
export interface Admitted {
  /** The policy of its key, if it has one. */
  policy: KeyPolicy | undefined
  release: () => void
}

/** Who is served, and how many at a time. Keys are known by their SHA-256 alone. */
export interface Admission {
  admit: (asked: {
    path: string
    headers: IncomingHttpHeaders
    search: string
  }) => Admitted | Refusal
  /** What a key may still spend is told by what it has spent this day, in tokens. */
  spent: (policy: KeyPolicy, tokens: number) => void
}

export function createAdmission(config: () => TeamConfig, now: () => number): Admission {
  let running = 0
  const runningOf = new Map<string, number>()
  const spentOf = new Map<string, { day: string; tokens: number }>()

  return {
    admit({ path, headers, search }) {
      if (climbs(path)) {
        return refusal(400, 'invalid_path', 'A path must not lead out of itself.')
      }
      const { limits, keys, onlyKnownKeys } = config()
      const hashes = keyHashes(headers, search)
      const policy = keys.find(({ sha256 }) => hashes.has(sha256))
      // The provider chooses among several as it likes, and may not take the one that is known here.
      if (hashes.size > 1 && (policy || onlyKnownKeys)) {
        const message = 'This request carries several keys: send one, in one place.'
        return refusal(400, 'several_keys', message)
      }
      if (onlyKnownKeys && !policy) {
        return refusal(401, 'unknown_key', 'This gateway does not know the key of this request.')
      }
      if (running >= limits.concurrent) {
        return refusal(503, 'too_many_requests', 'This gateway is full: try again soon.')
      }
      const own = policy && (runningOf.get(policy.name) ?? 0)
      if (policy && own !== undefined && own >= (policy.concurrent ?? Infinity)) {
        const message = `The key ${policy.name} has ${own} requests under way, its limit.`
        return refusal(429, 'too_many_requests', message)
      }
      const spending = policy && spentOf.get(policy.name)
      const isToday = spending?.day === dayOf(now())
      if (policy && spending && isToday && spending.tokens >= (policy.tokensPerDay ?? Infinity)) {
        const message = `The key ${policy.name} has spent its tokens of this day (UTC).`
        return { ...refusal(429, 'budget_spent', message), again: leftOfDay(now()) }
      }
      running += 1
      if (policy) runningOf.set(policy.name, (own ?? 0) + 1)
      return {
        policy,
        release() {
          running -= 1
          if (policy) runningOf.set(policy.name, (runningOf.get(policy.name) ?? 1) - 1)
        },
      }
    },
    spent({ name }, tokens) {
      spentOf.set(name, { day: dayOf(now()), tokens })
    },
  }
}

/** How many seconds are left of the day in UTC. */
function leftOfDay(now: number): number {
  const day = 24 * 60 * 60_000
  return Math.ceil((day - (now % day)) / 1_000)
}

/** The day in UTC: `2026-11-22`. */
export function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10)
}

/** The hashes of all keys that a request carries, wherever a provider may look for one. */
function keyHashes(headers: IncomingHttpHeaders, search: string): ReadonlySet<string> {
  const { authorization } = headers
  const given = [
    authorization?.replace(/^bearer\s+/i, ''),
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

function refusal(status: Refusal['status'], type: string, message: string): Refusal {
  return { status, type, message }
}
