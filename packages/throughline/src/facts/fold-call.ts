import { noteCommand } from './commands.ts'
import { noteError, resolveFile } from './error-facts.ts'
import { noteCreated, noteDeleted, noteEdited, noteRead, noteRenamed } from './files.ts'
import { pathOf } from './lenses/arguments.ts'
import { readCall } from './lenses/read-call.ts'
import { recordSections } from './names/record-sections.ts'
import { stringLeaves } from './names/string-leaves.ts'
import { isDenied } from './outcome/denied.ts'
import { firstLine } from './outcome/telling-line.ts'
import { guessRoot } from './paths/guess-root.ts'
import { relativeTo } from './paths/clean-path.ts'
import { authority, enterDirectory, learnDirectory, spellPath } from './paths/directories.ts'
import { noteTodo } from './todos.ts'
import { outputText } from '../log/message-text.ts'
import type { IndexState } from './fold-memory.ts'
import type { Effect, LensCall, ToolLens } from './lens.ts'
import type { Seq } from '../log/entry.ts'
import type { ToolCallPart, ToolResultPart } from '../log/message.ts'

/** Takes a call: its words are used now, its effects wait for its result. */
export function foldCall(index: IndexState, part: ToolCallPart, seq: Seq): void {
  const input = decoded(part.input)
  learnWorkingDirectory(index, input)
  index.memory.calls.set(part.toolCallId, { seq, tool: part.toolName, input })
  const path = pathOf(input)
  const file = path === undefined ? undefined : spellPath(index, path)
  const source = { use: 'call', seq, owner: file ?? '', ownerIsFile: file !== undefined } as const
  for (const text of stringLeaves(input)) recordSections(index, text, source)
}

/** Takes a result: now the call has its effects, and what it is about owns what it printed. */
export function foldResult(
  index: IndexState,
  part: ToolResultPart,
  seq: Seq,
  lenses: readonly ToolLens[] | undefined,
): void {
  const open = index.memory.calls.get(part.toolCallId)
  index.memory.calls.delete(part.toolCallId)
  const text = outputText(part.output)
  const failed = part.output.type === 'error-text' || part.output.type === 'error-json'
  const refused = part.output.type === 'execution-denied' || isDenied(text)
  const tool = open?.tool ?? part.toolName
  const call: LensCall = { tool, input: open?.input, output: text, failed }
  const effects = refused ? [] : readCall(call, lenses)
  const owned = ownerOf(index, effects)
  applyEffects(index, effects, { call, owner: owned.owner, seq })
  recordSections(index, text, { use: 'mention', seq, ...owned })
}

interface Circumstances {
  call: LensCall
  owner: string
  seq: Seq
}

function applyEffects(index: IndexState, effects: readonly Effect[], at: Circumstances): void {
  const command = effects.find((effect) => effect.type === 'command')
  for (const effect of effects) applyEffect(index, effect, command?.directory, at)
  const told = effects.some(({ type }) => type === 'command' || type === 'failure')
  if (at.call.failed && !told && !isDenied(at.call.output ?? ''))
    noteFailure(index, at.call.output ?? '', at)
}

function applyEffect(
  index: IndexState,
  effect: Effect,
  directory: string | undefined,
  { call, owner, seq }: Circumstances,
): void {
  switch (effect.type) {
    case 'command':
      for (const entered of effect.entered ?? []) learnDirectory(index, entered, authority.change)
      noteCommand(index, effect, effect.failed ?? call.failed, seq)
      return
    case 'directory':
      learnDirectory(index, effect.path, authority.output)
      enterDirectory(index, effect.path)
      return
    case 'todo':
    case 'todos':
    case 'todo-status':
      noteTodo(index, effect, seq)
      return
    case 'failure': {
      const path = effect.path === undefined ? undefined : spellPath(index, effect.path, directory)
      noteFailure(index, effect.text, { call, owner: path ?? owner, seq })
      return
    }
    case 'search':
      return
    default:
      applyToFile(index, effect, directory, seq)
  }
}

/** What git keeps for itself is no work of the session. */
const GIT_INTERNALS = /(?:^|\/)\.git\//

type FileEffect = Extract<Effect, { type: 'read' | 'create' | 'edit' | 'rename' | 'delete' }>

function applyToFile(
  index: IndexState,
  effect: FileEffect,
  directory: string | undefined,
  seq: Seq,
): void {
  const named = spellPath(index, effect.path, directory)
  if (named === undefined || GIT_INTERNALS.test(named)) return
  guessRoot(index, named, effect.type !== 'read')
  const path = relativeTo(index.root, named)
  resolveFile(index, path, seq)
  if (effect.type === 'read') noteRead(index, path, seq, effect.range)
  else if (effect.type === 'create') noteCreated(index, path, seq)
  else if (effect.type === 'edit') noteEdited(index, path, seq)
  else if (effect.type === 'delete') noteDeleted(index, path, seq, effect.tree)
  else {
    const to = spellPath(index, effect.to, directory)
    if (to !== undefined) noteRenamed(index, path, to, seq)
  }
}

function noteFailure(index: IndexState, output: string, { call, owner, seq }: Circumstances): void {
  const text = firstLine(output.replaceAll(/<\/?tool_use_error>/g, ''))
  if (text !== undefined) noteError(index, text, { owner: owner || call.tool }, seq)
}

/** What a call is about: the file that it changes, reads or searches, else its command. */
function ownerOf(
  index: IndexState,
  effects: readonly Effect[],
): { owner: string; ownerIsFile: boolean } {
  const command = effects.find((effect) => effect.type === 'command')
  const directory = command?.directory
  let read: string | undefined
  for (const effect of effects) {
    if (!('path' in effect) || effect.path === undefined || effect.type === 'directory') continue
    const path = spellPath(index, effect.path, directory)
    if (path === undefined) continue
    if (effect.type !== 'read' && effect.type !== 'search')
      return { owner: path, ownerIsFile: true }
    read ??= path
  }
  if (read !== undefined) return { owner: read, ownerIsFile: true }
  return { owner: command?.head ?? '', ownerIsFile: false }
}

/** A call that names its directory says where the session works. */
function learnWorkingDirectory(index: IndexState, input: unknown): void {
  if (typeof input !== 'object' || input === null) return
  for (const key of ['workdir', 'cwd', 'working_directory']) {
    const value = (input as Record<string, unknown>)[key]
    if (typeof value === 'string' && value !== '') learnDirectory(index, value, authority.argument)
  }
}

/** Some harnesses leave the arguments as they came: JSON in a string. */
function decoded(input: unknown): unknown {
  if (typeof input !== 'string') return input
  const text = input.trim()
  if (!text.startsWith('{') || !text.endsWith('}')) return input
  try {
    return JSON.parse(text) as unknown
  } catch {
    return input
  }
}
