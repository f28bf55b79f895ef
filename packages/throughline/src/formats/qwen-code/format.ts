import { omit } from '../omitted.ts'
import { someRecord } from '../reading/some-record.ts'
import { recordReader } from '../conversation/session-state.ts'
import { fieldsOf, type Fields, countOf, nameOf, objectsOf, timeOf } from '../../json/fields.ts'
import type { Format, FormatReader } from '../format.ts'
import { modelNameOf } from '../writing/written-fields.ts'
import {
  closeReply,
  goBack,
  fileReply,
  fileResult,
  fileUnseen,
  fileUser,
} from '../conversation/tree-session.ts'
import { giveCompaction } from './compaction.ts'
import { newState, type State, noteReply, noteUser } from './units.ts'
import { replyParts, usageOf, resultsIn } from './reply.ts'
import { isHarnessRecord, userParts } from './user-parts.ts'
import { ownFolder } from '../writing/harness.ts'
import type { SessionPlace } from '../writing/harness.ts'
import { toolTable } from '../handoff/tool-table.ts'
import {
  writes,
  edits,
  greps,
  globs,
  lists,
  fetches,
  keepsTodos,
  delegates,
  asks,
  loadsSkills,
} from '../handoff/tool-rows.ts'

/** As its own definitions say, and 0.24.4 gives them to its model. */
const qwenCodeTools = toolTable('Qwen Code', [
  [
    'run_shell_command',
    'runs a command',
    { command: 'command', directory: 'directory?', description: 'description?' },
    { asides: ['description', 'timeout'], usual: { is_background: false } },
  ],
  [
    'read_file',
    'reads a file',
    { path: 'file_path', 'first line, from 0': 'offset?', lines: 'limit?' },
  ],
  writes('write_file'),
  edits('edit'),
  greps('grep_search'),
  globs('glob'),
  lists('list_directory', { given: 'seldom' }),
  fetches('web_fetch'),
  keepsTodos('todo_write', { given: 'seldom' }),
  delegates('agent'),
  asks('ask_user_question', { given: 'seldom' }),
  loadsSkills('skill', 'skill'),
])

/** A fresh reader for one session file. */
function qwenCodeReader(): FormatReader {
  return recordReader(newState(), readRecord, closeReply)
}

function readRecord(state: State, record: Fields): void {
  const id = nameOf(record['uuid'])
  if (!id || !types.has(record['type'])) return
  const { tree } = state
  if (tree.unitOf.has(id)) return omit(state, 'duplicate')
  state.at = timeOf(record['timestamp']) ?? state.at
  readFacts(state, record)
  if (isUnseen(record)) {
    // It may be off the path: it moves nothing, but others may follow it.
    const parent = nameOf(record['parentUuid'])
    const unit = parent === undefined ? undefined : tree.unitOf.get(parent)
    tree.unitOf.set(id, record['parentUuid'] === null ? 0 : (unit ?? tree.newest))
    return
  }
  goBack(state, record['parentUuid'])
  readSeen(state, record, id)
  tree.unitOf.set(id, tree.newest)
}

const types: ReadonlySet<unknown> = new Set(['user', 'assistant', 'tool_result', 'system'])

function isUnseen({ type, subtype, systemPayload }: Fields): boolean {
  if (type !== 'system') return subtype === 'realtime_message'
  return (
    subtype !== 'chat_compression' || !Array.isArray(fieldsOf(systemPayload)?.['compressedHistory'])
  )
}

function readFacts({ facts }: State, record: Fields): void {
  const id = nameOf(record['sessionId'])
  const directory = nameOf(record['cwd'])
  const model = modelNameOf(record['model'])
  const window = countOf(record['contextWindowSize'])
  if (id) facts.id = id
  if (directory) facts.directory ??= directory
  if (model) facts.model = model
  if (window) facts.window = window
  const title = nameOf(fieldsOf(record['systemPayload'])?.['customTitle'])
  if (title && record['subtype'] === 'custom_title') facts.title = title
}

function readSeen(state: State, record: Fields, id: string): void {
  const parts = objectsOf(fieldsOf(record['message'])?.['parts'])
  switch (record['type']) {
    case 'user':
      return readUser(state, record, id)
    case 'assistant':
      return readAssistant(state, record, parts, id)
    case 'tool_result':
      return readResults(state, record, parts, id)
    default:
      return giveCompaction(state, record)
  }
}

function readUser(state: State, record: Fields, id: string): void {
  const parts = userParts(fieldsOf(record['message'])?.['parts'], isHarnessRecord(record))
  fileUser(state, parts, { source: { records: [id] } })
  noteUser(state, parts)
}

function readAssistant(state: State, record: Fields, parts: readonly Fields[], id: string): void {
  const said = replyParts(parts)
  fileReply(state, {
    parts: said,
    model: modelNameOf(record['model']),
    usage: usageOf(record['usageMetadata']),
    metadata: { source: { records: [id] } },
  })
  if (state.reply) noteReply(state, said, state.reply.unit)
  else omit(state, 'unfinished')
}

function readResults(state: State, record: Fields, parts: readonly Fields[], id: string): void {
  const status = fieldsOf(record['toolCallResult'])?.['status']
  const failed = status === 'error' || status === 'cancelled'
  const results = resultsIn(parts, failed)
  for (const result of results) fileResult(state, { ...result, record: id })
  if (results.length === 0) fileUnseen(state)
}

/** Qwen Code's sessions: one JSON record a line, linked by uuids, with messages as Gemini has them. */
export const qwenCode: Format = {
  name: 'qwen-code',
  place: '~/.qwen/projects/<project>/chats/<session>.jsonl',
  tools: qwenCodeTools,
  recognises: someRecord(isQwenCode),
  reader: qwenCodeReader,
}

function isQwenCode(record: Fields): boolean {
  if (typeof record['uuid'] !== 'string' || typeof record['sessionId'] !== 'string') return false
  switch (record['type']) {
    case 'user':
    case 'assistant':
    case 'tool_result':
      return Array.isArray(fieldsOf(record['message'])?.['parts'])
    case 'system':
      return 'systemPayload' in record
    default:
      return false
  }
}

/** `projects/<the directory, flattened>/chats/<session>.jsonl`. */
export const qwenCodePlace: SessionPlace = {
  roots(surroundings) {
    const { variables, path } = surroundings
    const runtime = variables['QWEN_RUNTIME_DIR']
    const variable =
      runtime !== undefined && path.isAbsolute(runtime) ? 'QWEN_RUNTIME_DIR' : 'QWEN_HOME'
    return ownFolder(surroundings, { variable, names: ['.qwen'], behind: ['projects'] })
  },
  sessionIn: (relativePath) => /^[^/]+\/chats\/([^/]+)\.jsonl$/.exec(relativePath)?.[1],
  placeFor: ({ session, directory }) => `${slugOf(directory)}/chats/${session}.jsonl`,
  resume: ({ session }) => [['qwen', '--resume', session]],
}

function slugOf(directory: string): string {
  // This only happens on Windows, where paths begin with a drive.
  const known = /^[a-z]:[\\/]/i.test(directory) ? directory.toLowerCase() : directory
  return known.replace(/[^a-zA-Z0-9]/g, '-')
}
