import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cacheFolder } from '../install.ts'

const packages = join(import.meta.dirname, '../../packages')
const run = promisify(execFile)

/**
 * Installs what `npm pack` makes of this repository, its gateway included, in an empty folder, as a
 * user gets it, and returns the path of the command. What is packed was built before.
 */
export async function packed(): Promise<string> {
  await mkdir(cacheFolder, { recursive: true })
  const folder = await mkdtemp(join(cacheFolder, 'packed-'))
  const tarballs: string[] = []
  for (const name of ['throughline', 'gateway']) {
    const own = join(packages, name)
    const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
    await run('npm', pack, { cwd: own })
    const made = JSON.parse(await readFile(join(own, 'package.json'), 'utf8')) as {
      name: string
      version: string
    }
    tarballs.push(join(folder, `${made.name}-${made.version}.tgz`))
  }
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  await run('npm', ['install', ...quiet, '--prefix', folder, ...tarballs], { cwd: folder })
  return join(folder, 'node_modules/.bin/throughline')
}
