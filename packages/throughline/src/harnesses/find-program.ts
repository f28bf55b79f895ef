import { access, constants, stat } from 'node:fs/promises'
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
