import { posix, win32 } from 'node:path'
import type { Surroundings } from '../formats/writing/harness.ts'

/** Where harnesses keep their sessions, as an environment says; no home is guessed. */
export function surroundingsOf(
  variables: Surroundings['variables'],
  platform: NodeJS.Platform = process.platform,
): Surroundings {
  const path = platform === 'win32' ? win32 : posix
  const home = variables[platform === 'win32' ? 'USERPROFILE' : 'HOME']
  // A relative one would be another with every directory.
  return { variables, path, home: home !== undefined && path.isAbsolute(home) ? home : undefined }
}
