import { spawn } from 'node:child_process'
import { dirname } from 'node:path'

interface Started {
  command: string
  args: readonly string[]
  directory: string
  home: string
  env: Record<string, string>
}

interface Talk {
  say: (line: string) => void
  /** Waits until it has printed this. */
  hear: (words: RegExp) => Promise<void>
}

const patience = 60_000

/** Works with a client that stays, and ends it. */
export async function withServer(
  { command, args, directory, home, env }: Started,
  work: (talk: Talk) => Promise<void>,
): Promise<void> {
  const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`
  const child = spawn(command, args, {
    cwd: directory,
    env: { PATH: path, HOME: home, TMPDIR: home, LANG: 'C.UTF-8', TERM: 'dumb', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString('utf8')))
  }
  const hear = async (words: RegExp): Promise<void> => {
    const until = performance.now() + patience
    while (!words.test(printed)) {
      if (performance.now() > until)
        throw new Error(`It did not say ${words}: ${printed.slice(-500)}`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  try {
    await work({ say: (line) => child.stdin.write(line), hear })
  } finally {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }
}
