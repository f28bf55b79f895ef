import { fieldsOf, PATH_KEYS, textOf } from './arguments.ts'
import { commandEffects, commandOf } from './command-lens.ts'
import type { Effect, LensCall } from '../lens.ts'

type Verb = 'create' | 'edit' | 'delete' | 'rename' | 'read'

/** Verbs in the names of tools, and what they do to a file. */
const VERBS: readonly [Verb, ReadonlySet<string>][] = [
  ['rename', new Set(['move', 'rename', 'mv'])],
  ['delete', new Set(['delete', 'remove', 'unlink', 'rm'])],
  [
    'edit',
    new Set([
      'edit',
      'update',
      'modify',
      'replace',
      'insert',
      'append',
      'patch',
      'format',
      'fix',
      'refactor',
    ]),
  ],
  ['create', new Set(['write', 'create', 'save', 'new', 'add', 'generate', 'put'])],
  ['read', new Set(['read', 'view', 'open', 'get', 'load', 'cat', 'show', 'inspect'])],
]

/**
 * For an unknown tool: a path among its arguments and a verb in its name make an effect, and a
 * command line makes a command; otherwise there is no effect. Paths in another repository are not
 * files of this session.
 */
export function fallbackEffects(call: LensCall): Effect[] {
  if (call.failed) return []
  const fields = fieldsOf(call.input)
  if ('command' in fields || 'cmd' in fields) {
    const command = commandOf(call.input)
    if (command !== undefined) return commandEffects(call, command)
  }
  if ('owner' in fields && 'repo' in fields) return []
  const verb = verbOf(call.tool)
  const path = textOf(
    call.input,
    ...PATH_KEYS,
    'filepath',
    'fileName',
    'target_file',
    'target',
    'uri',
    'source',
  )
  if (verb === undefined || path === undefined || !looksLikePath(path)) return []
  if (verb !== 'rename') return [{ type: verb, path }]
  const to = textOf(call.input, 'destination', 'new_path', 'newPath', 'to', 'new_name')
  return to === undefined || !looksLikePath(to) ? [] : [{ type: 'rename', path, to }]
}

function verbOf(tool: string): Verb | undefined {
  const words = wordsOf(tool)
  return VERBS.find(([, verbs]) => words.some((word) => verbs.has(word)))?.[0]
}

/** `mcp__files__writeFile` → `write`, `file`: the words of the last segment. */
function wordsOf(tool: string): string[] {
  return lastSegment(tool)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
}

/** The tool's own name, after the name of its server. */
export function lastSegment(tool: string): string {
  const name = tool.slice(0, 200)
  const at = Math.max(
    name.lastIndexOf('__') + 1,
    name.lastIndexOf('.'),
    name.lastIndexOf(':'),
    name.lastIndexOf('/'),
  )
  return at > 0 && at < name.length - 1 ? name.slice(at + 1) : name
}

function looksLikePath(text: string): boolean {
  if (text.length > 400 || /[\n\r*?<>|"]/.test(text) || /^[a-z][a-z0-9+]{1,20}:\/\//i.test(text)) {
    return text.startsWith('file://')
  }
  return /[\\/]/.test(text) || /^[\w-][\w .-]{0,80}\.[A-Za-z][A-Za-z0-9]{0,7}$/.test(text)
}
