import type { Surroundings } from './harness.ts'

/**
 * A harness's own folder: the value of its variable, else `names` below the home; followed by
 * `behind`. A relative path would mean a different folder in every directory, so it is skipped.
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
