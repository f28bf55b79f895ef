import { omit } from '../omitted.ts'
import { recordReader } from '../conversation/session-state.ts'
import { fieldsOf, listOf, nameOf, type Fields } from '../../json/fields.ts'
import type { Format, FormatReader } from '../format.ts'
import { modelNameOf } from '../writing/written-fields.ts'
import { giveSession } from './give-session.ts'
import { newState, type State } from './state.ts'
import type { SessionPlace } from '../writing/harness.ts'
import { toolTable } from '../handoff/tool-table.ts'
import {
  reads,
  writes,
  patches,
  globs,
  lists,
  searchesTheWeb,
  keepsTodos,
  asks,
  loadsSkills,
} from '../handoff/tool-rows.ts'

/** As real sessions of versions 1.2.16 to 1.18.21 call them, and 1.18.33 gives them to its model. */
const opencodeTools = toolTable('opencode', [
  [
    'bash',
    'runs a command',
    { command: 'command', directory: 'workdir?' },
    { asides: ['description', 'timeout'] },
  ],
  reads('read', 'filePath'),
  writes('write', 'filePath'),
  [
    'edit',
    'changes a part of a file',
    {
      path: 'filePath',
      'old text': 'oldString',
      'new text': 'newString',
      everywhere: 'replaceAll?',
    },
    { usual: { replaceAll: false } },
  ],
  patches('apply_patch', 'patchText'),
  ['grep', 'searches in files', { pattern: 'pattern', path: 'path?', files: 'include?' }],
  globs('glob'),
  lists('list', { given: 'seldom' }),
  ['webfetch', 'fetches a web page', { url: 'url', form: 'format?' }],
  searchesTheWeb('websearch', { given: 'seldom' }),
  keepsTodos('todowrite'),
  [
    'task',
    'gives work to a subagent',
    { task: 'prompt', description: 'description', agent: 'subagent_type' },
  ],
  asks('question'),
  loadsSkills('skill', 'name'),
])

/** A new reader for one export. It returns everything at the end. */
function opencodeReader(): FormatReader {
  return recordReader(newState(), readRecord, giveSession)
}

function readRecord(state: State, record: Fields): void {
  const info = fieldsOf(record['info'])
  if (!info) return
  if (!Array.isArray(record['messages'])) {
    if (Array.isArray(record['parts'])) readMessage(state, record)
    return
  }
  const id = nameOf(info['id'])
  const directory = nameOf(info['directory'])
  if (id) state.facts.id = id
  const title = nameOf(info['title'])
  if (directory) state.facts.directory = directory
  if (title) state.facts.title = title
  state.revertedFrom = nameOf(fieldsOf(info['revert'])?.['messageID'])
  for (const message of listOf(record['messages'])) readMessage(state, message)
}

function readMessage(state: State, value: unknown): void {
  const message = fieldsOf(value)
  const info = fieldsOf(message?.['info'])
  if (!message || !info) return omit(state, 'damaged')
  const id = nameOf(info['id'])
  if (id && state.ids.has(id)) return omit(state, 'duplicate')
  if (id) state.ids.add(id)
  state.messages.push(message)
  readFacts(state, info)
}

function readFacts(state: State, info: Fields): void {
  const session = nameOf(info['sessionID'])
  const directory = nameOf(fieldsOf(info['path'])?.['cwd'])
  const model = modelNameOf(info['modelID'])
  if (session) state.facts.id ??= session
  if (directory) state.facts.directory ??= directory
  if (model && info['summary'] !== true) state.facts.model = model
}

/** What `opencode export` prints: one JSON document, or the list of its messages. */
export const opencode: Format = {
  name: 'opencode',
  place: 'the output of `opencode export <session>`',
  tools: opencodeTools,
  recognises: (records) => records.some((record) => isSession(record) || isMessage(record)),
  reader: opencodeReader,
}

function isSession(value: unknown): boolean {
  const record = fieldsOf(value)
  const id = fieldsOf(record?.['info'])?.['id']
  if (typeof id !== 'string' || !id.startsWith('ses_')) return false
  const messages = listOf(record?.['messages'])
  // Version 2 has no parts.
  const isOld = messages.some((message) => fieldsOf(message)?.['info'] !== undefined)
  return isOld || (Array.isArray(record?.['messages']) && messages.length === 0)
}

function isMessage(value: unknown): boolean {
  const record = fieldsOf(value)
  const info = fieldsOf(record?.['info'])
  const role = info?.['role']
  const known = role === 'user' || role === 'assistant'
  return known && typeof info?.['sessionID'] === 'string' && Array.isArray(record?.['parts'])
}

/**
 * opencode's own database: sessions are imported from a document and exported with `opencode
 * export`.
 */
export const opencodePlace: SessionPlace = {
  roots: () => [],
  sessionIn: () => undefined,
  placeFor: () => undefined,
  resume: ({ session, file }) => [
    ['opencode', 'import', file],
    ['opencode', '--session', session],
  ],
}
