import { hostname } from 'node:os'
import { join } from 'node:path'
import {
  linkSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { StoreFailedError } from '../sqlite/errors.ts'

// `lock-7` is the seventh writing. The highest one says who writes; it is only removed when there is
// a higher one, so whoever comes late with a lower number sees that he is late.
const prefix = 'lock-'
const free = 'free'

/**
 * Writes alone: no other process or thread is in `work` at the same time. `work` is told the number
 * of this writing, which is higher than any before. A writer that was killed is not waited for.
 * @throws StoreFailedError `busy` where another is writing.
 */
export function alone<Result>(directory: string, work: (writing: number) => Result): Result {
  const before = newestLock(directory)
  if (before > 0 && isHeld(join(directory, prefix + before))) throw busy(directory)
  const writing = before + 1
  const file = join(directory, prefix + writing)
  if (!take(file) || newestLock(directory) !== writing) throw busy(directory)
  try {
    for (const older of locksIn(directory)) {
      if (older < writing) rmSync(join(directory, prefix + older), { force: true })
    }
    return work(writing)
  } finally {
    writeFileSync(file, free)
  }
}

function busy(directory: string): StoreFailedError {
  return new StoreFailedError({ file: directory, failure: 'busy' })
}

/** The file exists with its content, or not at all. */
function take(file: string): boolean {
  const own = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`
  writeFileSync(own, `${process.pid} ${hostname()}`, { mode: 0o600 })
  try {
    linkSync(own, file)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    unlinkSync(own)
  }
}

function locksIn(directory: string): number[] {
  return readdirSync(directory).flatMap((name) => {
    const [, number] = /^lock-(\d{1,15})$/.exec(name) ?? []
    return number === undefined ? [] : [Number(number)]
  })
}

function newestLock(directory: string): number {
  return Math.max(0, ...locksIn(directory))
}

function isHeld(file: string): boolean {
  let said: string
  let written: number
  try {
    said = readFileSync(file, 'utf8')
    written = statSync(file).mtimeMs
  } catch (error) {
    // A higher one has taken its place.
    if (codeOf(error) === 'ENOENT') return true
    throw error
  }
  if (said === free) return false
  const [pid, host] = said.split(' ')
  // Of another machine, or where the bytes are damaged, nobody here knows whether the writer lives.
  if (host !== hostname()) return Date.now() - written < longestWriting
  // In a container, every process has the same number.
  if (Number(pid) === process.pid) return written >= startedAt
  return isAlive(Number(pid))
}

// A writing takes milliseconds, and clocks of two machines differ by less.
const longestWriting = 10 * 60_000

// Clocks of file systems are not exact.
const startedAt = Date.now() - process.uptime() * 1000 - 2_000

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
