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

// Twice the time that a client itself may take.
const patience = 400_000

/** Whether clients run with no network but loopback. */
export const isIsolated = prefix.length > 0

/** Runs `trial.ts` for a client and a session, in a home that is removed afterwards. */
export async function isolatedTrial(what: {
  name: string
  start: Start
  installed: string
}): Promise<TrialResult> {
  // Not in the system's temporary folder, because Codex refuses a home there.
  await mkdir(cacheFolder, { recursive: true })
  const home = await mkdtemp(join(cacheFolder, 'home-'))
  try {
    const script = join(import.meta.dirname, 'trial.ts')
    const trial = [process.execPath, script, JSON.stringify({ ...what, home })]
    const [command = '', ...args] = [...prefix, ...trial]
    const { stdout } = await promisify(execFile)(command, args, { timeout: patience })
    return JSON.parse(stdout) as TrialResult
  } catch (error) {
    return { problems: [`the trial itself failed: ${saidBy(error)}`] }
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}
