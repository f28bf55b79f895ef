import { clineWriter } from './writer.ts'
import { asks } from '../handoff/tool-rows.ts'
import { clineReader } from './reader.ts'
import { fieldsOf } from '../../json/fields.ts'
import { ownFolder, type ClientFormat, type SessionPlace } from '../writing/harness.ts'
import { toolTable } from '../handoff/tool-table.ts'

/** As 3.0.65 gives them to its model. Its commands come in lists, as nobody else's. */
const clineTools = toolTable('Cline', [
  ['run_commands', 'runs a command', { command: 'commands[]' }],
  ['read_files', 'reads a file', { path: 'files[].path' }, { own: ['start_line', 'end_line'] }],
  [
    'editor',
    'changes a part of a file',
    { path: 'path', 'old text': 'old_text', 'new text': 'new_text' },
    { own: ['insert_line'] },
  ],
  // Only for some models.
  ['apply_patch', 'applies a patch', { patch: 'input' }, { given: 'seldom' }],
  ['search_codebase', 'searches in files', { pattern: 'queries[]' }],
  [
    'fetch_web_content',
    'fetches a web page',
    { url: 'requests[].url', question: 'requests[].prompt' },
  ],
  asks('ask_question', { own: ['question', 'options'] }),
  // Only where there are skills.
  ['skills', 'loads a skill', { skill: 'skill' }, { given: 'seldom' }],
])

/** `sessions/<session>/<session>.messages.json`. */
const clinePlace: SessionPlace = {
  roots(surroundings) {
    const { variables, path } = surroundings
    const named = variables['CLINE_SESSION_DATA_DIR']
    if (named !== undefined && path.isAbsolute(named)) return [path.normalize(named)]
    const data = variables['CLINE_DATA_DIR'] !== undefined
    return data
      ? ownFolder(surroundings, {
          variable: 'CLINE_DATA_DIR',
          names: ['.cline', 'data'],
          behind: ['sessions'],
        })
      : ownFolder(surroundings, {
          variable: 'CLINE_DIR',
          names: ['.cline'],
          behind: ['data', 'sessions'],
        })
  },
  sessionIn: (relativePath) => /^([^/]+)\/\1\.messages\.json$/.exec(relativePath)?.[1],
  placeFor: ({ session }) => `${session}/${session}.messages.json`,
  resume: ({ session }) => [['cline', '--id', session]],
}

/** Sessions of Cline, since its command and its extension share them: one JSON document. */
export const cline: ClientFormat = {
  name: 'cline',
  place: '~/.cline/data/sessions/<session>/<session>.messages.json',
  tools: clineTools,
  recognises: (records) => records.some(isCline),
  reader: clineReader,
  prefix: 'cline',
  writer: clineWriter,
  home: clinePlace,
}

/** Its messages, or those that it has compacted, which stand in a file beside them. */
function isCline(value: unknown): boolean {
  const record = fieldsOf(value)
  if (!Array.isArray(record?.['messages']) || typeof record['updated_at'] !== 'string') return false
  return typeof record['agent'] === 'string' || typeof record['source_message_count'] === 'number'
}
