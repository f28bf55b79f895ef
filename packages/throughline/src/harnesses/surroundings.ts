import { posix, win32 } from 'node:path'
import type { Surroundings } from '../formats/writing/harness.ts'

/**
 * Where harnesses keep their sessions, according to the environment; the home directory is not
 * guessed.
 */
export function surroundingsOf(
  variables: Surroundings['variables'],
  platform: NodeJS.Platform = process.platform,
): Surroundings {
  const path = platform === 'win32' ? win32 : posix
  const home = variables[platform === 'win32' ? 'USERPROFILE' : 'HOME']
  // A relative path would mean a different folder in every directory.
  return { variables, path, home: home !== undefined && path.isAbsolute(home) ? home : undefined }
}
