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
  /** It runs on a terminal: what it shows when it is ready, what is typed then, and what it answers. */
  terminal?: { ready: string; prompt: string; answer: string } | undefined
}

// A client that waits for its model as long as it may still goes on.
const patience = 300_000
const mostPrinted = 4_000
// A client may still draw itself when it says that it is ready.
const typingPause = 2_000

/** Runs a client with nothing of the caller's environment except the path. */
export async function runClient({
  command,
  args,
  home,
  directory,
  env,
  terminal,
}: Run): Promise<ClientRun> {
  const temporary = join(home, 'tmp')
  await mkdir(temporary, { recursive: true })
  const line = [command, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  const onTerminal = ['-qec', `stty cols 120 rows 40; ${line}`, '/dev/null']
  const child = spawn(terminal ? 'script' : command, terminal ? onTerminal : args, {
    cwd: directory,
    // The workspace's own Node first, because some clients need a newer one than the machine has.
    env: {
      PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
      HOME: home,
      TMPDIR: temporary,
      LANG: 'C.UTF-8',
      TERM: terminal ? 'xterm-256color' : 'dumb',
      NO_COLOR: '1',
      ...env,
    },
    stdio: [terminal ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    // A separate process group, so that all of it can be ended.
    detached: true,
  })
  let printed = ''
  let asked = false
  let answered = false
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      printed = (printed + chunk.toString('utf8')).slice(-mostPrinted)
      if (!terminal || answered) return
      if (asked) {
        answered = printed.includes(terminal.answer)
        if (answered) endGroup(child)
      } else if (printed.includes(terminal.ready)) {
        asked = true
        printed = ''
        setTimeout(() => child.stdin?.write(terminal.prompt), typingPause)
        setTimeout(() => child.stdin?.write('\r'), 2 * typingPause)
      }
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
    return { exitCode: answered ? 0 : exitCode, printed }
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
