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
