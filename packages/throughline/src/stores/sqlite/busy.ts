// Long enough for others to make progress, and short enough that nobody notices.
const pause = 2

/**
 * Retries until it succeeds, where SQLite doesn't wait for others by itself; returns whether it
 * did.
 */
export function tryAgain(busyTimeout: number, attempt: () => boolean): boolean {
  const until = performance.now() + busyTimeout
  while (!attempt()) {
    if (performance.now() >= until) return false
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause)
  }
  return true
}

/** Whether SQLite reported that another process is writing. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5
}
