/** Lets all other pending work run first. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}

// Short enough not to be noticed, and long enough that pausing costs little.
const slice = 8

export type Turn = () => Promise<void> | void

/**
 * Divides long work, so that a process that does it does everything else too: call it often, and it
 * pauses when the work has gone on for a few milliseconds.
 * @throws the signal's reason once it is aborted.
 */
export function timeSlices(signal?: AbortSignal): Turn {
  let began = performance.now()
  return () => {
    signal?.throwIfAborted()
    if (performance.now() - began < slice) return
    return nextTurn().then(() => {
      began = performance.now()
      signal?.throwIfAborted()
    })
  }
}

/** Where there is one, a turn of the event loop costs less than a timer. */
export function nextTurn(): Promise<void> {
  const { setImmediate } = globalThis as { setImmediate?: (then: () => void) => void }
  return setImmediate ? new Promise((resolve) => setImmediate(() => resolve())) : pause()
}
