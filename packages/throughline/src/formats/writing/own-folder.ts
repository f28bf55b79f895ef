import type { Surroundings } from './harness.ts'

/**
 * A harness's own folder: what its variable says, else `names` below the home; with `behind`
 * below that. A relative one would be another with every directory, and is passed over.
 */
export function ownFolder(
  { variables, home, path }: Surroundings,
  { variable, names, behind }: { variable: string; names: string[]; behind: string[] },
): string[] {
  const named = variables[variable]
  const own = named !== undefined && path.isAbsolute(named) ? named : below(home, names, path)
  return own === undefined ? [] : [path.join(own, ...behind)]
}

function below(
  folder: string | undefined,
  names: string[],
  path: Surroundings['path'],
): string | undefined {
  return folder === undefined ? undefined : path.join(folder, ...names)
}
