import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The peers' package: outside the workspace, so that the root's install never includes it. */
export const peersFolder = join(import.meta.dirname, '../peers')

/** Installs what the peers' lock file names, if it isn't installed. Returns what went wrong. */
export function installPeers(): string | undefined {
  const lock = join(peersFolder, 'package-lock.json')
  const installed = join(peersFolder, 'node_modules/.package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return
  console.error(`Installing the peers in ${peersFolder}, once; this takes a few minutes.`)
  const { status, error } = spawnSync('npm', ['ci', '--ignore-scripts'], {
    cwd: peersFolder,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (status === 0) return
  return `npm ci in bench/peers ended with ${status ?? error?.message ?? 'no status'}`
}

/** The Node that the peers' package brings, since some peers need a newer one than the workspace. */
export function nodeOfPeers(): string {
  const { platform, arch } = process
  const names = [`node-${platform}-${arch}`, `node-bin-${platform}-${arch}`, `node-win-${arch}`]
  const paths = names.flatMap((name) => {
    const folder = join(peersFolder, 'node_modules', name, 'bin')
    return [join(folder, 'node'), join(folder, 'node.exe')]
  })
  return paths.find((path) => existsSync(path)) ?? process.execPath
}
