import { ClosedPipeError } from './errors.ts'
import type { Io, Output } from './io.ts'

/** The process's own streams, and Ctrl-C as a signal. */
export function processIo(): Io {
  return {
    stdin: { isTerminal: process.stdin.isTTY, chunks: () => process.stdin },
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
    env: process.env,
    signal: interruptSignal(),
    now: () => performance.now(),
  }
}

// A pipe or a file has no width; nobody reads longer lines.
const widthElsewhere = 120

function outputOf(stream: NodeJS.WriteStream): Output {
  // The callback of the write says the same; without a listener the process would die of it.
  stream.on('error', () => {})
  return {
    isTerminal: stream.isTTY,
    columns: () => stream.columns ?? widthElsewhere,
    write: (text) =>
      new Promise((resolve, reject) => {
        stream.write(text, (error) => {
          if (!error) resolve()
          else reject(isClosedPipe(error) ? new ClosedPipeError() : error)
        })
      }),
  }
}

function isClosedPipe(error: Error & { code?: string }): boolean {
  return error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED'
}

/** The first Ctrl-C asks to stop; a second one ends the process as if nobody listened. */
function interruptSignal(): AbortSignal {
  const controller = new AbortController()
  process.once('SIGINT', () => {
    controller.abort()
    process.stdin.destroy()
  })
  return controller.signal
}
