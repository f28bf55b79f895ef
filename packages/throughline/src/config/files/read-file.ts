import { readFile, stat } from 'node:fs/promises'
import { ConfigError, type ConfigFile } from '../errors.ts'
import { pathToFileURL } from 'node:url'
import { fieldsOf } from '../../json/fields.ts'

/**
 * Reads a configuration file of any kind. Code in it is executed.
 * @throws ConfigError if it cannot be read.
 */
export async function readConfigFile(file: ConfigFile): Promise<unknown> {
  const ending = /\.[^./\\]*$/.exec(file.path)?.[0] ?? ''
  try {
    const stats = await stat(file.path)
    if (stats.isDirectory()) throw Object.assign(new Error('a directory'), { code: 'EISDIR' })
    // A pipe might never end.
    if (!stats.isFile()) throw Object.assign(new Error('not a file'), { code: 'not a plain file' })
    if (stats.size > largestFile) throw Object.assign(new Error('too long'), { code: 'EFBIG' })
    if (ending === '.json') return jsonIn(await readFile(file.path, 'utf8'), file)
  } catch (error) {
    throw ConfigError.isInstance(error) ? error : cannotRead(file, error)
  }
  if (['.ts', '.js', '.mjs'].includes(ending)) return importFile(file)
  const what = ending === '' ? 'its name has no extension' : `its name ends in ${ending}`
  throw new ConfigError(`${what}; a configuration is a .ts, .js, .mjs or .json file.`, { file })
}

function jsonIn(text: string, file: ConfigFile): unknown {
  const json = text.replace(/^\uFEFF/, '')
  try {
    return JSON.parse(json)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(`it is not valid JSON: ${reason}.`, { file, cause: error })
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file, or it is a broken link.',
  ENOTDIR: 'there is no such file: a part of the path is not a directory.',
  EISDIR: 'this is a directory. Name a file, or rename the directory.',
  EACCES: 'permission denied.',
  ELOOP: 'it is a symbolic link to itself.',
  EFBIG: 'it has more than a megabyte; a configuration is short.',
}

const largestFile = 1024 * 1024

function cannotRead(file: ConfigFile, error: unknown): ConfigError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  return new ConfigError(reasons[code] ?? `it cannot be read (${code}).`, { file, cause: error })
}

/**
 * Executes a file of code and returns its default export. Node itself strips the types.
 * @throws ConfigError that says in one line why it failed.
 */
export async function importFile(file: ConfigFile): Promise<unknown> {
  let module: Readonly<Record<string, unknown>>
  try {
    module = await withoutWarning(warning, () => import(pathToFileURL(file.path).href))
  } catch (error) {
    throw new ConfigError(reasonOf(error, file), { file, cause: error })
  }
  const given = module['default']
  if (given !== undefined && !(await isNobodys(given, file))) return given
  throw new ConfigError('it has no default export; write "export default { … }".', { file })
}

/** Node treats a file without exports as CommonJS, whose default export is an empty object. */
async function isNobodys(given: unknown, { path }: ConfigFile): Promise<boolean> {
  const fields = fieldsOf(given)
  if (!fields || Object.keys(fields).length > 0) return false
  return !/\bexports?\b/.test(await readFile(path, 'utf8'))
}

// Not the user's mistake: a package.json without "type".
const warning = 'Module type of file:'

function reasonOf(error: unknown, { path, shown }: ConfigFile): string {
  if (!(error instanceof Error)) return `it throws ${String(error)}.`
  const code = 'code' in error ? String(error.code) : ''
  const message = (error.message.split('\n', 1)[0] ?? '').replace(/\.$/, '')
  const line = lineIn(error.stack ?? '', path)
  const at = line === undefined ? '' : `line ${line}: `
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION') {
    return `this Node (${process.versions.node}) cannot run TypeScript by itself. Use Node 22.18 or newer, or write the configuration as .mjs or .json.`
  }
  if (message.startsWith('Cannot find package')) {
    return `${message}. Install it in the configuration’s directory, or do without it: a plain object is enough.`
  }
  if (/Unexpected token 'export'|Cannot use import statement/.test(message)) {
    return `${message}: Node treats it as CommonJS. Set "type": "module" in its package.json, or rename it to .mjs.`
  }
  if (!(error instanceof SyntaxError)) return `${at}it throws ${error.name}: ${message}.`
  const more =
    line === undefined && !shown.endsWith('.ts') ? ` node --check ${shown} shows where.` : ''
  return `${at}${message}.${more}`
}

/** The line of the file that the stack mentions first. */
function lineIn(stack: string, path: string): string | undefined {
  for (const name of [pathToFileURL(path).href, path]) {
    const start = stack.indexOf(`${name}:`)
    if (start !== -1) return /^\d+/.exec(stack.slice(start + name.length + 1))?.[0]
  }
  return undefined
}

/** Runs work while suppressing Node warnings that begin with this text. */
async function withoutWarning<Result>(
  beginning: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const { emitWarning } = process
  process.emitWarning = ((...given: Parameters<typeof emitWarning>): void => {
    if (!String(given[0]).startsWith(beginning)) emitWarning(...given)
  }) as typeof emitWarning
  try {
    return await work()
  } finally {
    process.emitWarning = emitWarning
  }
}
