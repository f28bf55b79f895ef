import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { ConfigError, type ConfigFile } from '../errors.ts'
import { fieldsOf } from '../../json/fields.ts'
import { withoutWarning } from './without-warning.ts'

/**
 * Runs a file of code and gives its default export. Types in it are stripped by Node itself.
 * @throws ConfigError saying in one line why it could not be run.
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

/** Node takes a file that exports nothing for CommonJS, whose default is an empty object. */
async function isNobodys(given: unknown, { path }: ConfigFile): Promise<boolean> {
  const fields = fieldsOf(given)
  if (!fields || Object.keys(fields).length > 0) return false
  return !/\bexports?\b/.test(await readFile(path, 'utf8'))
}

// Nobody's mistake: a package.json without "type".
const warning = 'Module type of file:'

function reasonOf(error: unknown, { path, shown }: ConfigFile): string {
  if (!(error instanceof Error)) return `it throws ${String(error)}.`
  const code = 'code' in error ? String(error.code) : ''
  const message = (error.message.split('\n', 1)[0] ?? '').replace(/\.$/, '')
  const line = lineIn(error.stack ?? '', path)
  const at = line === undefined ? '' : `line ${line}: `
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION') {
    return `this Node (${process.versions.node}) does not run TypeScript by itself. Use Node 22.18 or newer, or write the configuration as .mjs or .json.`
  }
  if (message.startsWith('Cannot find package')) {
    return `${message}. Install it where the file stands, or do without it: a plain object will do.`
  }
  if (/Unexpected token 'export'|Cannot use import statement/.test(message)) {
    return `${message}: it is taken for CommonJS. Set "type": "module" in its package.json, or write it as .mjs.`
  }
  if (!(error instanceof SyntaxError)) return `${at}it throws ${error.name}: ${message}.`
  const more =
    line === undefined && !shown.endsWith('.ts') ? ` node --check ${shown} shows where.` : ''
  return `${at}${message}.${more}`
}

/** The line of the file that the stack names first. */
function lineIn(stack: string, path: string): string | undefined {
  for (const name of [pathToFileURL(path).href, path]) {
    const start = stack.indexOf(`${name}:`)
    if (start !== -1) return /^\d+/.exec(stack.slice(start + name.length + 1))?.[0]
  }
  return undefined
}
