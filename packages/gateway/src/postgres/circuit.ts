import { PostgresError } from './errors.ts'

interface CircuitOptions {
  /** While it is open, one call in so many milliseconds is tried, and the others fail at once. */
  pause: number
  /** Within how many milliseconds several slow calls open it. */
  patience: number
  /** Milliseconds that only grow. */
  clock?: () => number
}

/** Does work, or fails at once while the circuit is open. */
export interface Circuit {
  <Result>(work: () => Promise<Result>): Promise<Result>
  readonly isOpen: () => boolean
}

// One session may wait for a lock that another one never sees.
const manySlow = 3

/**
 * Spares calls the waiting for a database that does not answer: one that cannot be reached, or one
 * where several statements in a short time have hung. What goes through decides when it closes.
 */
export function circuit({
  pause,
  patience,
  clock = () => performance.now(),
}: CircuitOptions): Circuit {
  let open: { until: number; error: PostgresError } | undefined
  let slow: number[] = []

  function failed(error: PostgresError): void {
    const now = clock()
    if (error.failure === 'slow') {
      slow = [...slow.filter((at) => now - at < patience), now].slice(-manySlow)
      if (slow.length < manySlow) return
    } else if (error.failure !== 'unreachable') return
    open = { until: now + pause, error }
  }

  async function guarded<Result>(work: () => Promise<Result>): Promise<Result> {
    const isTrial = open !== undefined
    if (open) {
      if (clock() < open.until) throw open.error
      open.until = clock() + pause
    }
    try {
      const result = await work()
      // Beside a statement that hangs, others that began before go well.
      if (isTrial || open?.error.failure !== 'slow') open = undefined
      return result
    } catch (error) {
      if (PostgresError.isInstance(error)) failed(error)
      throw error
    }
  }
  return Object.assign(guarded, { isOpen: () => open !== undefined })
}
