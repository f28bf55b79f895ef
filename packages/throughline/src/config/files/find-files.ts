import { lstat } from 'node:fs/promises'
import { ConfigError } from '../errors.ts'
import type { ConfigFile } from '../errors.ts'

/** The names under which a configuration is found. */
const configNames = [
  'throughline.config.ts',
  'throughline.config.js',
  'throughline.config.mjs',
  'throughline.config.json',
] as const

/** How the place of a file is worked out and told. */
interface Naming {
  path: { join: (...parts: string[]) => string; dirname: (path: string) => string }
  shown: (path: string) => string
}

/**
 * The configuration in a directory, or in the nearest one above it.
 * @throws ConfigError if there are two beside each other.
 */
export async function fileAbove(
  directory: string,
  naming: Naming,
): Promise<ConfigFile | undefined> {
  for (let at = directory; ; at = naming.path.dirname(at)) {
    const file = await fileIn(at, naming)
    if (file || naming.path.dirname(at) === at) return file
  }
}

/**
 * The configuration in a directory.
 * @throws ConfigError if there are two.
 */
export async function fileIn(
  directory: string,
  { path, shown }: Naming,
): Promise<ConfigFile | undefined> {
  const paths = configNames.map((name) => path.join(directory, name))
  const there = await Promise.all(paths.map(isThere))
  const [first, second] = paths
    .filter((_, index) => there[index])
    .map((found) => ({ path: found, shown: shown(found) }))
  if (!first || !second) return first
  throw new ConfigError(
    `${second.shown} stands beside it, and only one of them can be meant. Keep one, or name it with --config.`,
    { file: first },
  )
}

/** A link that leads nowhere is there, too: it shall be told, not passed over. */
async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
