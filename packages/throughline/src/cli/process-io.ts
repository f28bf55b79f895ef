import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { ClosedPipeError, CommandError } from './errors.ts'
import { reasonOf } from './output/write-reason.ts'
import type { Io, Output } from './io.ts'

/** The process's own streams, and Ctrl-C as a signal. */
export function processIo(): Io {
  return {
    stdin: { isTerminal: process.stdin.isTTY, chunks: () => process.stdin, hiddenLine },
    stdout: outputOf(process.stdout, 'standard output'),
    stderr: outputOf(process.stderr, 'standard error'),
    env: process.env,
    cwd: workingDirectory(),
    signal: interruptSignal(),
    now: () => performance.now(),
  }
}

/**
 * The directory may be gone; then the system reports an error for every path in it that is used.
 */
function workingDirectory(): string {
  try {
    return process.cwd()
  } catch {
    return '.'
  }
}

// A pipe or a file has no width; nobody reads longer lines.
const widthElsewhere = 120

function outputOf(stream: NodeJS.WriteStream, name: string): Output {
  // The write's callback reports the same error; without a listener, the process would die of it.
  stream.on('error', () => {})
  return {
    isTerminal: stream.isTTY,
    // Some terminals report 0.
    columns: () => stream.columns || widthElsewhere,
    write: (text) =>
      new Promise((resolve, reject) => {
        stream.write(text, (error) => {
          if (!error) resolve()
          else if (isClosedPipe(error)) reject(new ClosedPipeError())
          else reject(new CommandError(`${name}: ${reasonOf(error)}`, { cause: error }))
        })
      }),
  }
}

function isClosedPipe(error: Error & { code?: string }): boolean {
  return error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED'
}

/** Uses Node's own line editor, which echoes typed characters to its output: here, nowhere. */
function hiddenLine(question: string): Promise<string | undefined> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  return new Promise((resolve) => {
    let line: string | undefined
    reader.once('line', (typed) => {
      line = typed
      reader.close()
    })
    // The editor handles Ctrl-C itself.
    reader.once('SIGINT', () => {
      process.emit('SIGINT')
      reader.close()
    })
    reader.once('close', () => {
      process.stderr.write('\n')
      resolve(line)
    })
    // Printed only now, so that characters typed early are not shown either.
    process.stderr.write(question)
  })
}

/** The first Ctrl-C asks the command to stop; a second one ends the process at once. */
function interruptSignal(): AbortSignal {
  const controller = new AbortController()
  process.once('SIGINT', () => {
    controller.abort()
    process.stdin.destroy()
  })
  return controller.signal
}
