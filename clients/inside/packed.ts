import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cacheFolder } from '../install.ts'

const own = join(import.meta.dirname, '../../packages/throughline')
const run = promisify(execFile)

/**
 * Installs what `npm pack` makes of this repository in an empty folder, as a user gets it, and
 * returns the path of the command. What is packed was built before.
 */
export async function packed(): Promise<string> {
  await mkdir(cacheFolder, { recursive: true })
  const folder = await mkdtemp(join(cacheFolder, 'packed-'))
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  await run('npm', pack, { cwd: own })
  const { version } = JSON.parse(await readFile(join(own, 'package.json'), 'utf8')) as {
    version: string
  }
  const tarball = join(folder, `throughline-${version}.tgz`)
  const quiet = ['--offline', '--no-audit', '--no-fund', '--loglevel=error']
  await run('npm', ['install', ...quiet, '--prefix', folder, tarball], { cwd: folder })
  return join(folder, 'node_modules/.bin/throughline')
}
