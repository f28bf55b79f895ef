import { spawnSync } from 'node:child_process'

const loopbackAlone = 'ip link set lo up && exec "$@"'

/**
 * The prefix of a command that makes it run without any network except loopback, and ends
 * everything it started. Empty if the system can't do that.
 */
export function isolation(): string[] {
  const root = process.getuid?.() === 0 ? [] : ['--map-root-user']
  const unshare = ['unshare', ...root, '-n', '-p', '-f', '--mount-proc', '--kill-child']
  const prefix = [...unshare, 'sh', '-c', loopbackAlone, 'sh']
  const [command = '', ...args] = prefix
  return spawnSync(command, [...args, 'true']).status === 0 ? prefix : []
}
