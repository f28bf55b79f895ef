import { lstat } from 'node:fs/promises'
import { ConfigError } from '../errors.ts'
import type { ConfigFile } from '../errors.ts'

/** The file names of a configuration. */
const configNames = [
  'throughline.config.ts',
  'throughline.config.js',
  'throughline.config.mjs',
  'throughline.config.json',
] as const

/** How to resolve and display the path of a file. */
interface Naming {
  path: { join: (...parts: string[]) => string; dirname: (path: string) => string }
  shown: (path: string) => string
}

/**
 * The configuration in a directory, or in the nearest directory above it.
 * @throws ConfigError if a directory has two.
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
    `${second.shown} is in the same directory, and only one of them can be used. Keep one, or choose one with --config.`,
    { file: first },
  )
}

/** A broken link also counts: it must be reported, not ignored. */
async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
