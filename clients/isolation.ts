import { spawnSync } from 'node:child_process'

const loopbackAlone = 'ip link set lo up && exec "$@"'

/**
 * What to put before a command so that it runs with no network but loopback, and so that nothing
 * it started outlives it. Nothing where the system cannot do that.
 */
export function isolation(): string[] {
  const root = process.getuid?.() === 0 ? [] : ['--map-root-user']
  const unshare = ['unshare', ...root, '-n', '-p', '-f', '--mount-proc', '--kill-child']
  const prefix = [...unshare, 'sh', '-c', loopbackAlone, 'sh']
  const [command = '', ...args] = prefix
  return spawnSync(command, [...args, 'true']).status === 0 ? prefix : []
}
