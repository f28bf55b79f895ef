import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { mkdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Client } from './client.ts'

/** Where clients are kept from one run to the next: outside the repository, which they are no part of. */
export const cacheFolder =
  process.env['THROUGHLINE_CLIENTS'] ?? join(homedir(), '.cache', 'throughline', 'clients')

const patience = 240_000

/**
 * Installs the one version of a client, unless it is there already, and says where.
 * @throws if npm cannot install it
 */
export async function install({
  name,
  package: wanted,
  version,
  command,
}: Client): Promise<string> {
  const folder = join(cacheFolder, `${name}-${version}`)
  if (existsSync(join(folder, 'node_modules', '.bin', command))) return folder
  await mkdir(folder, { recursive: true })
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline']
  // Without a network npm would try for minutes before it said so.
  const impatient = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=30000']
  const from = ['--prefix', folder, `${wanted}@${version}`]
  await promisify(execFile)('npm', ['install', ...quiet, ...impatient, ...from], {
    timeout: patience,
  })
  return folder
}
