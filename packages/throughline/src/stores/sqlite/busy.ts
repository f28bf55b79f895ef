// So long that others get on, and so short that nobody notices.
const pause = 2

/** Tries until it is done, where SQLite does not wait for others by itself; says whether it is. */
export function tryAgain(busyTimeout: number, attempt: () => boolean): boolean {
  const until = performance.now() + busyTimeout
  while (!attempt()) {
    if (performance.now() >= until) return false
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause)
  }
  return true
}

/** Whether SQLite said that somebody else is writing. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5
}
