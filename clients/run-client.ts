import { spawn, type ChildProcess } from 'node:child_process'
import { dirname, join } from 'node:path'
import { mkdir } from 'node:fs/promises'

/** How a run of a client ended. */
export interface ClientRun {
  /** `null` if it was stopped. */
  exitCode: number | null
  /** The end of its output. */
  printed: string
}

interface Run {
  command: string
  args: readonly string[]
  home: string
  directory: string
  env: Record<string, string>
}

// A client that waits for its model as long as it may still goes on.
const patience = 300_000
const mostPrinted = 4_000

/** Nothing of the caller's environment except the path, and what a client needs. */
export function environmentOf(home: string, more: Record<string, string>): Record<string, string> {
  return {
    // The workspace's own Node first, because some clients need a newer one than the machine has.
    PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    HOME: home,
    TMPDIR: join(home, 'tmp'),
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    NO_COLOR: '1',
    ...more,
  }
}

/** Runs a client with nothing of the caller's environment except the path. */
export async function runClient({ command, args, home, directory, env }: Run): Promise<ClientRun> {
  const temporary = join(home, 'tmp')
  await mkdir(temporary, { recursive: true })
  const child = spawn(command, args, {
    cwd: directory,
    env: environmentOf(home, env),
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group, so that all of it can be ended.
    detached: true,
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      printed = (printed + chunk.toString('utf8')).slice(-mostPrinted)
    })
  }
  const late = setTimeout(() => endGroup(child), patience)
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      // Its child processes may keep its output open forever.
      child.once('exit', (code) => {
        endGroup(child)
        child.once('close', () => resolve(code))
      })
    })
    return { exitCode, printed }
  } finally {
    clearTimeout(late)
  }
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // All of them have already ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
