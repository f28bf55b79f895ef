import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { cacheFolder } from './install.ts'
import { isolation } from './isolation.ts'
import { saidBy } from './said-by.ts'
import type { Start } from './sessions.ts'
import type { TrialResult } from './resume-once.ts'

const prefix = isolation()

// A life of 250 steps takes OpenClaw ten minutes, and twice as long on a busy machine.
const patience = 1_800_000

/** Whether clients run with no network but loopback. */
export const isIsolated = prefix.length > 0

/** Runs `trial.ts` for a client with a written session, or with the packed Throughline, in a home that is removed afterwards. */
export async function isolatedTrial(
  what: { name: string; installed: string } & ({ start: Start } | { throughline: string }),
): Promise<TrialResult> {
  const answer = await isolatedProcess('trial.ts', what)
  return 'failed' in answer ? { problems: [answer.failed] } : (answer.said as TrialResult)
}

/** Runs a script of this folder with these facts and a home of its own, and reads what it says. */
export async function isolatedProcess(
  script: string,
  what: object,
): Promise<{ said: unknown } | { failed: string }> {
  // Not in the system's temporary folder, because Codex refuses a home there.
  await mkdir(cacheFolder, { recursive: true })
  const home = await mkdtemp(join(cacheFolder, 'home-'))
  try {
    const path = join(import.meta.dirname, script)
    const trial = [process.execPath, path, JSON.stringify({ ...what, home })]
    const [command = '', ...args] = [...prefix, ...trial]
    const { stdout } = await promisify(execFile)(command, args, { timeout: patience })
    return { said: JSON.parse(stdout) }
  } catch (error) {
    return { failed: `the trial itself failed: ${saidBy(error)}` }
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}
