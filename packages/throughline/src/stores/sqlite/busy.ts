import { setTimeout } from 'node:timers/promises'
import { StoreFailedError } from './errors.ts'

// Long enough for others to make progress, and short enough that nobody notices. Not always the
// same, so that those who wait don't come at the same moment.
const shortest = 1
const longest = 12

/** How long to wait for others, and what ends it earlier. */
export interface Waiting {
  busyTimeout: number
  signal?: AbortSignal | undefined
}

/**
 * Tries again while another process is in the way. The process goes on in the meantime.
 * @throws the last failure when the time is over, and the signal's reason.
 */
export async function waiting<Result>(
  { busyTimeout, signal }: Waiting,
  attempt: () => Result,
): Promise<Result> {
  const until = performance.now() + busyTimeout
  for (let round = 0; ; round++) {
    signal?.throwIfAborted()
    try {
      return attempt()
    } catch (error) {
      if (!isInTheWay(error) || performance.now() >= until) throw error
    }
    const most = Math.min(longest, shortest + round)
    await setTimeout(shortest + (most - shortest) * Math.random(), undefined, { signal })
  }
}

function isInTheWay(error: unknown): boolean {
  if (isBusy(error)) return true
  if (!StoreFailedError.isInstance(error)) return false
  return error.failure === 'busy' || error.failure === 'log-in-use'
}

/** Whether SQLite reported that another process is writing. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5
}
