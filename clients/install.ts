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
  const from = ['--prefix', folder, `${wanted}@${version}`, ...beside]
  await promisify(execFile)('npm', ['install', ...quiet, ...impatient, ...from], {
    timeout: patience,
  })
  return folder
}
