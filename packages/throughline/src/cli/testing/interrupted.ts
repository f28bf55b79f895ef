import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

export interface Interrupted {
  /** The exit code, or the signal that ended it. */
  end: number | string
  err: string
  /** Milliseconds that it lived. */
  lived: number
  /** Milliseconds of processor time, its own and the system's for it, after Ctrl-C. */
  after: number
}

// Linux counts processor time in ticks of so many milliseconds, for every program that asks.
const tick = 10

/** Processor time that a process has used so far; `undefined` once it is gone. */
function usedBy(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) * tick
  } catch {
    return undefined
  }
}

/** Runs a program and presses Ctrl-C after a while. A process that hangs is killed. */
export async function interrupted(
  argv: readonly string[],
  { at, env, cwd }: { at: number; env: NodeJS.ProcessEnv; cwd: string },
): Promise<Interrupted> {
  const began = performance.now()
  const child = spawn(process.execPath, [...argv], {
    env,
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const pid = Number(child.pid)
  let err = ''
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  let [before, used] = [Infinity, 0]
  const looking = setInterval(() => (used = usedBy(pid) ?? used), 5)
  const pressing = setTimeout(() => {
    before = usedBy(pid) ?? Infinity
    child.kill('SIGINT')
  }, at)
  const watchdog = setTimeout(() => child.kill('SIGKILL'), patience)
  const end = await new Promise<number | string>((resolve) =>
    child.on('close', (code, signal) => resolve(code ?? String(signal))),
  )
  clearInterval(looking)
  clearTimeout(pressing)
  clearTimeout(watchdog)
  return { end, err, lived: performance.now() - began, after: Math.max(0, used - before) }
}

// A long session takes minutes on a busy machine.
const patience = 600_000
