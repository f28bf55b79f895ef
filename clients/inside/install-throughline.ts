import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { access, writeFile } from 'node:fs/promises'
import type { InsideClient } from './client-trial.ts'

interface Installing {
  /** The command of the packed Throughline. */
  throughline: string
  home: string
  isBroken: boolean
}

/** Runs `throughline install <client>`, as a user does; what it installed may be broken then. */
export async function installThroughline(
  { word, broken }: InsideClient,
  { throughline, home, isBroken }: Installing,
): Promise<void> {
  await runThroughline(throughline, home, ['install', word])
  if (!isBroken) return
  for (const [file, text] of Object.entries(broken)) {
    // Only what is there can be broken.
    await access(join(home, file))
    await writeFile(join(home, file), text)
  }
}

/** A report on a long session is long. */
const largestAnswer = 64 * 1024 * 1024

/** What the command prints. */
export async function runThroughline(
  throughline: string,
  home: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`
  const command = [throughline, ...args]
  const env = { PATH: path, HOME: home, LANG: 'C.UTF-8', ...more }
  const options = { env, cwd: home, maxBuffer: largestAnswer }
  const { stdout } = await promisify(execFile)(process.execPath, command, options)
  return stdout
}
