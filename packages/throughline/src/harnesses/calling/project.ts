import { existsSync, realpathSync } from 'node:fs'
import type { Surroundings } from '../../formats/writing/harness.ts'

type Place = Pick<Surroundings, 'path' | 'home'>

/**
 * The root of the project that a directory belongs to: the nearest directory with a `.git`, below
 * the user's home; else the directory itself.
 */
export function projectOf(directory: string, { path, home }: Place): string {
  const whole = realPath(directory)
  const above = home === undefined ? undefined : realPath(home)
  for (let at = whole; path.dirname(at) !== at && at !== above; at = path.dirname(at)) {
    if (existsSync(path.join(at, '.git'))) return at
  }
  return whole
}

/** Whether a directory belongs to a project. What isn't absolute belongs to none. */
export function isInProject(directory: string | undefined, project: string, place: Place): boolean {
  if (directory === undefined || !place.path.isAbsolute(directory)) return false
  return projectOf(directory, place) === project
}

/** The directory itself, if it isn't there. */
export function realPath(directory: string): string {
  try {
    return realpathSync(directory)
  } catch {
    return directory
  }
}
