/** Ctrl-C, as a command hears it. */
export interface Interrupts {
  /** Aborted by the first Ctrl-C; a second one ends the process at once. */
  signal: AbortSignal
  /** Does work during which Ctrl-C ends the process at once, and so must leave nothing half done. */
  endingAtOnce: <Result>(work: () => Result | Promise<Result>) => Promise<Result>
}

/** Listens to the process's own Ctrl-C. */
export function processInterrupts(): Interrupts {
  const controller = new AbortController()
  const abort = (): void => {
    controller.abort()
    process.stdin.destroy()
  }
  process.once('SIGINT', abort)
  return {
    signal: controller.signal,
    async endingAtOnce(work) {
      // A listener is only called between two pieces of work; without one, the system acts.
      process.off('SIGINT', abort)
      try {
        return await work()
      } finally {
        if (!controller.signal.aborted) process.once('SIGINT', abort)
      }
    },
  }
}
