import { writeSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { exitCodes, interruption } from '../errors.ts'
import type { Io } from '../io.ts'

/** Listens to the process's own Ctrl-C. */
export function processInterrupts(): Pick<Io, 'signal' | 'endingAtOnce' | 'endingInTurn'> {
  const controller = new AbortController()
  let ends = false
  const hear = (): void => {
    if (ends) {
      writeSync(process.stderr.fd, `throughline: ${interruption().message}\n`)
      process.exit(exitCodes.interrupted)
    }
    controller.abort()
    process.stdin.destroy()
  }
  process.once('SIGINT', hear)
  return {
    signal: controller.signal,
    async endingInTurn(work) {
      if (controller.signal.aborted) throw interruption()
      ends = true
      try {
        return await work()
      } finally {
        ends = false
      }
    },
    async endingAtOnce(work) {
      // What was pressed until now comes with the next turns; a listener that is gone never hears it.
      for (let turn = 0; turn < 2; turn++) await nextTurn()
      if (controller.signal.aborted) throw interruption()
      process.off('SIGINT', hear)
      try {
        return await work()
      } finally {
        process.once('SIGINT', hear)
      }
    },
  }
}
