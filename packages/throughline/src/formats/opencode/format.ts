import { opencodeWriter } from './writer.ts'
import { fieldsOf, listOf } from '../../json/fields.ts'
import { opencodeReader } from './reader.ts'
import type { ClientFormat, SessionPlace } from '../writing/harness.ts'
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

/**
 * opencode's own database: sessions are imported from a document and exported with `opencode
 * export`.
 */
const opencodePlace: SessionPlace = {
  roots: () => [],
  sessionIn: () => undefined,
  placeFor: () => undefined,
  resume: ({ session, file }) => [
    ['opencode', 'import', file],
    ['opencode', '--session', session],
  ],
}

/** What `opencode export` prints: one JSON document, or the list of its messages. */
export const opencode: ClientFormat = {
  name: 'opencode',
  place: 'the output of `opencode export <session>`',
  tools: opencodeTools,
  recognises: (records) => records.some((record) => isSession(record) || isMessage(record)),
  reader: opencodeReader,
  prefix: 'opencode',
  writer: opencodeWriter,
  home: opencodePlace,
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
