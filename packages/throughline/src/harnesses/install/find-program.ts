import { access, constants, stat } from 'node:fs/promises'
import type { Surroundings } from '../../formats/writing/harness.ts'

/**
 * A program by the folders of `PATH`. Those that are not absolute are passed over: whatever
 * directory one stands in may hold anything. On Windows only what needs no shell to be run.
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
