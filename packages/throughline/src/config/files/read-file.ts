import { readFile, stat } from 'node:fs/promises'
import { ConfigError, type ConfigFile } from '../errors.ts'
import { importFile } from './import-file.ts'
import { jsonProblem } from './json-problem.ts'

/**
 * What a configuration file holds, whatever it is. Code in it is run.
 * @throws ConfigError if it cannot be read.
 */
export async function readConfigFile(file: ConfigFile): Promise<unknown> {
  const ending = /\.[^./\\]*$/.exec(file.path)?.[0] ?? ''
  try {
    const stats = await stat(file.path)
    if (stats.isDirectory()) throw Object.assign(new Error('a directory'), { code: 'EISDIR' })
    if (ending === '.json') return jsonIn(await readFile(file.path, 'utf8'), file)
  } catch (error) {
    throw error instanceof ConfigError ? error : cannotRead(file, error)
  }
  if (['.ts', '.js', '.mjs'].includes(ending)) return importFile(file)
  const what = ending === '' ? 'its name has no ending' : `its name ends in ${ending}`
  throw new ConfigError(`${what}; a configuration is a .ts, .js, .mjs or .json file.`, { file })
}

function jsonIn(text: string, file: ConfigFile): unknown {
  const json = text.replace(/^\uFEFF/, '')
  try {
    return JSON.parse(json)
  } catch (error) {
    throw new ConfigError(jsonProblem(json), { file, cause: error })
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file, or it is a link that leads nowhere.',
  ENOTDIR: 'there is no such file: a part of the path is no directory.',
  EISDIR: 'this is a directory. Give a file, or rename the directory.',
  EACCES: 'it may not be read: permission denied.',
  ELOOP: 'it is a symbolic link to itself.',
}

function cannotRead(file: ConfigFile, error: unknown): ConfigError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  return new ConfigError(reasons[code] ?? `it cannot be read (${code}).`, { file, cause: error })
}
