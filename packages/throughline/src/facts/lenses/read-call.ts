import {
  commandLens,
  commandsLens,
  runningCommandLens,
  commandEffects,
  commandOf,
} from './command-lens.ts'
import {
  editLens,
  editorLens,
  memoryLens,
  moveLens,
  readLens,
  readManyLens,
  writeLens,
} from './file-lenses.ts'
import { searchLens, talkLens, webLens } from './search-lenses.ts'
import { taskCreateLens, taskUpdateLens, todoListLens } from './todo-lenses.ts'
import { fieldsOf, hasFailed, textOf, PATH_KEYS } from './arguments.ts'
import { readOutcome } from '../outcome/read-outcome.ts'
import { patchEffects } from '../patch/patch-effects.ts'
import type { Effect, LensCall, ToolLens } from '../lens.ts'

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
function fallbackEffects(call: LensCall): Effect[] {
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
function lastSegment(tool: string): string {
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

/**
 * Patches: Codex, opencode, Copilot and OpenAI's own tool. A patch is applied completely or not at
 * all.
 */
const patchLens: ToolLens = {
  tools: ['apply_patch', 'applypatch', 'patch', 'apply_unified_diff'],
  read: (call) => {
    const { input, output } = call
    const operation = operationEffects(input)
    const patch =
      typeof input === 'string'
        ? input
        : textOf(input, 'input', 'patch', 'patchText', 'patch_text', 'diff', 'content')
    if (patch === undefined && operation === undefined) return []
    const effects = operation ?? patchEffects(patch ?? '')
    const exitCode = output === undefined ? 0 : (readOutcome(output).exitCode ?? 0)
    if (
      !hasFailed(call) &&
      exitCode === 0 &&
      output?.startsWith('apply_patch verification failed') !== true
    ) {
      return effects
    }
    const first = effects.find((effect) => 'path' in effect)
    const path = first && 'path' in first ? first.path : undefined
    return [
      {
        type: 'failure',
        text: readOutcome(output ?? '').body,
        ...(path !== undefined && { path }),
      },
    ]
  },
}

const OPERATIONS = new Map<unknown, 'create' | 'edit' | 'delete'>([
  ['create_file', 'create'],
  ['update_file', 'edit'],
  ['delete_file', 'delete'],
])

/** OpenAI's own tool names its single file next to the patch. */
function operationEffects(input: unknown): Effect[] | undefined {
  const type = OPERATIONS.get(fieldsOf(input)['type'])
  const path = textOf(input, 'path')
  return type === undefined || path === undefined ? undefined : [{ type, path }]
}

const builtInLenses: readonly ToolLens[] = [
  commandLens,
  commandsLens,
  runningCommandLens,
  readLens,
  readManyLens,
  writeLens,
  editLens,
  editorLens,
  memoryLens,
  moveLens,
  patchLens,
  searchLens,
  webLens,
  talkLens,
  todoListLens,
  taskCreateLens,
  taskUpdateLens,
]

const builtIn = tableOf(builtInLenses)

function tableOf(lenses: readonly ToolLens[]): ReadonlyMap<string, ToolLens> {
  const table = new Map<string, ToolLens>()
  for (const lens of lenses) {
    for (const tool of lens.tools) {
      const name = tool.toLowerCase()
      if (!table.has(name)) table.set(name, lens)
    }
  }
  return table
}

/**
 * What a call did: first by a plugin's lens, then by the tool's name, then by its name without the
 * server, then by its arguments.
 */
export function readCall(call: LensCall, lenses: readonly ToolLens[] = []): Effect[] {
  const name = call.tool.toLowerCase()
  const own = lenses.find(({ tools }) => tools.some((tool) => tool.toLowerCase() === name))
  if (own) return readSafely(own, call)
  const lens = builtIn.get(name) ?? builtIn.get(lastSegment(name))
  return lens ? lens.read(call) : fallbackEffects(call)
}

/** A plugin's mistake must not stop a compaction: a call that its lens can't read has no effect. */
function readSafely(lens: ToolLens, call: LensCall): Effect[] {
  try {
    return effectsIn(lens.read(call))
  } catch {
    return []
  }
}

type Type = Effect['type']

/** The required and optional fields of an effect, with the types of their values. */
const shapes: Readonly<Record<Type, { must: readonly string[]; may: readonly string[] }>> = {
  read: { must: ['path'], may: [] },
  create: { must: ['path'], may: [] },
  edit: { must: ['path'], may: [] },
  rename: { must: ['path', 'to'], may: [] },
  delete: { must: ['path'], may: [] },
  command: { must: ['command'], may: ['output', 'directory', 'session', 'head', 'purpose'] },
  search: { must: ['words'], may: ['path'] },
  todo: { must: ['text', 'status'], may: ['id'] },
  todos: { must: [], may: [] },
  'todo-status': { must: ['id', 'status'], may: ['text'] },
  directory: { must: ['path'], may: [] },
  failure: { must: ['text'], may: ['path'] },
}

/** The valid effects among what a custom lens returned. */
function effectsIn(given: unknown): Effect[] {
  return Array.isArray(given) ? given.filter(isEffect) : []
}

function isEffect(given: unknown): given is Effect {
  if (typeof given !== 'object' || given === null || !('type' in given)) return false
  const { type, range, entered } = given as Record<string, unknown>
  if (typeof type !== 'string' || !Object.hasOwn(shapes, type)) return false
  const { must, may } = shapes[type as Type]
  const fields = given as Record<string, unknown>
  if (must.some((key) => typeof fields[key] !== 'string')) return false
  if (may.some((key) => fields[key] !== undefined && typeof fields[key] !== 'string')) return false
  return (range === undefined || isRange(range)) && (entered === undefined || isTexts(entered))
}

function isRange(given: unknown): boolean {
  return Array.isArray(given) && given.length === 2 && given.every((line) => Number.isFinite(line))
}

function isTexts(given: unknown): boolean {
  return Array.isArray(given) && given.every((text) => typeof text === 'string')
}
