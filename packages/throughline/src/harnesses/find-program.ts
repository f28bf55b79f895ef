import { access, constants, stat } from 'node:fs/promises'
import { posix, win32 } from 'node:path'
import type { Surroundings } from '../formats/writing/harness.ts'

/**
 * Finds a program in the folders of `PATH`. Folders that aren't absolute are skipped, because the
 * current directory may contain anything. On Windows, only programs that need no shell are found.
 */
export async function findProgram(
  name: string,
  { variables, path }: Surroundings,
): Promise<string | undefined> {
  const isWindows = path.sep === '\\'
  const folders = (variables[isWindows ? 'Path' : 'PATH'] ?? variables['PATH'] ?? '').split(
    path.delimiter,
  )
  for (const folder of folders.filter((each) => path.isAbsolute(each))) {
    const file = path.join(folder, isWindows ? `${name}.exe` : name)
    if (await isProgram(file)) return file
  }
  return undefined
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return (await stat(file)).isFile()
  } catch {
    return false
  }
}

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
