import { isAbsolute, join } from 'node:path'

/** A path as the user gave it, from the directory that it stands in. */
export function pathFrom(directory: string, path: string): string {
  return isAbsolute(path) ? path : join(directory, path)
}
