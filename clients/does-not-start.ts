import { join } from 'node:path'
import { mkdtemp, rm } from 'node:fs/promises'
import { cacheFolder } from './install.ts'
import { runClient } from './run-client.ts'
import { saidBy } from './said-by.ts'
import type { Client } from './client.ts'

/**
 * Why an installed client doesn't even print its version here, if so: it needs a missing library or
 * another processor. That says nothing about our sessions.
 */
export async function whyNotStarting(
  { command }: Client,
  installed: string,
): Promise<string | undefined> {
  const home = await mkdtemp(join(cacheFolder, 'home-'))
  try {
    const { exitCode, printed } = await runClient({
      command: join(installed, 'node_modules', '.bin', command),
      args: ['--version'],
      home,
      directory: home,
      env: {},
    })
    return exitCode === 0 ? undefined : printed.trim() || `it ended with ${exitCode}`
  } catch (error) {
    return saidBy(error)
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}
