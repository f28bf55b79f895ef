import { spawn } from 'node:child_process'

interface Run {
  program: string
  arguments: readonly string[]
  /** Where it runs. */
  directory: string
  variables: Readonly<Record<string, string | undefined>>
  signal?: AbortSignal | undefined
}

export interface Ran {
  /** `null` if it was ended by a signal. */
  exitCode: number | null
  /** The last that it printed. */
  printed: string
}

const mostKept = 4000

/**
 * Runs a program to its end, without a shell.
 * @throws what the system says if it cannot be run; the reason of `signal` if it is aborted.
 */
export async function runProgram(run: Run): Promise<Ran> {
  const { program, directory, variables, signal } = run
  return new Promise((resolve, reject) => {
    const child = spawn(program, run.arguments, {
      cwd: directory,
      env: variables,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(signal && { signal }),
    })
    let printed = ''
    const keep = (chunk: Buffer): void => {
      printed = (printed + chunk.toString()).slice(-mostKept)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', (error) => reject(signal?.aborted ? signal.reason : error))
    child.on('close', (exitCode) => resolve({ exitCode, printed }))
  })
}
