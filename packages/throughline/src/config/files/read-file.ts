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
    throw new ConfigError(jsonProblem(json), { file, cause: error })
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

type State = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'next' | 'end'

const space = /[ \t\r\n]*/y
const token = new RegExp(
  [
    '[{}\\[\\]:,]',
    '"(?:[^"\\\\\\u0000-\\u001F]|\\\\(?:["\\\\/bfnrt]|u[\\dA-Fa-f]{4}))*"',
    'true|false|null|-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[Ee][+-]?\\d+)?',
  ].join('|'),
  'y',
)

/**
 * Finds where a text stops being JSON and what was expected there. Node itself reports the position
 * only for some mistakes.
 * @example
 * jsonProblem('{"a": }') // 'line 1, column 7: expected a value, found "}".'
 */
export function jsonProblem(text: string): string {
  const closers: string[] = []
  let state: State = 'value'
  let at = 0
  for (;;) {
    at = endOf(space, text, at)
    const end = endOf(token, text, at)
    const next: State | undefined = stateAfter(text.slice(at, end), state, closers)
    if (next === undefined) {
      return `${position(text, at)}: expected ${expected(state, closers)}, found ${found(text, at)}.`
    }
    state = next
    at = end
  }
}

/** The end of a pattern that begins here; this position if it doesn't match. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

/** The state after a token; `undefined` if the token is not allowed here. */
function stateAfter(piece: string, state: State, closers: string[]): State | undefined {
  const behindValue = (): State => (closers.length === 0 ? 'end' : 'next')
  if (piece === '') return undefined
  if (state !== 'value' && state !== 'key' && piece === closers.at(-1)) {
    closers.pop()
    return behindValue()
  }
  if (state === 'colon') return piece === ':' ? 'value' : undefined
  if (state === 'next' && piece === ',') return closers.at(-1) === '}' ? 'key' : 'value'
  if (state === 'next' || state === 'end') return undefined
  if (state === 'key' || state === 'first key') return piece.startsWith('"') ? 'colon' : undefined
  if (/^[}\]:,]/.test(piece)) return undefined
  if (piece !== '{' && piece !== '[') return behindValue()
  closers.push(piece === '{' ? '}' : ']')
  return piece === '{' ? 'first key' : 'first value'
}

function expected(state: State, closers: readonly string[]): string {
  const closer = `"${closers.at(-1) ?? ''}"`
  const texts: Readonly<Record<State, string>> = {
    value: 'a value',
    'first value': `a value or ${closer}`,
    key: 'a key in double quotes',
    'first key': `a key in double quotes or ${closer}`,
    colon: '":"',
    next: `"," or ${closer}`,
    end: 'nothing more',
  }
  return texts[state]
}

const longest = 20

function found(text: string, at: number): string {
  if (at >= text.length) return 'the end of the file'
  const line = text.slice(at, at + longest + 1).split(/[\r\n]/, 1)[0] ?? ''
  return JSON.stringify(line.length > longest ? `${line.slice(0, longest)}…` : line)
}

function position(text: string, at: number): string {
  const lines = text.slice(0, at).split('\n')
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`
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
