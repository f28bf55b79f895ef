import { cnWriter } from './writer.ts'
import { cnReader } from './reader.ts'
import { someRecord } from '../reading/some-record.ts'
import { fieldsOf, objectsOf } from '../../json/fields.ts'
import { asks, edits } from '../handoff/tool-rows.ts'
import { ownFolder, type ClientFormat, type SessionPlace } from '../writing/harness.ts'
import { toolTable } from '../handoff/tool-table.ts'

/** As 1.5.47 gives them to its model. */
const cnTools = toolTable('Continue', [
  ['Bash', 'runs a command', { command: 'command' }, { asides: ['timeout'] }],
  ['Read', 'reads a file', { path: 'filepath' }],
  ['Write', 'writes a whole file', { path: 'filepath', content: 'content' }],
  edits('Edit'),
  [
    'MultiEdit',
    'changes a part of a file',
    { path: 'file_path', 'old text': 'edits[].old_string', 'new text': 'edits[].new_string' },
    { given: 'seldom' },
  ],
  // Only where ripgrep is installed.
  [
    'Search',
    'searches in files',
    { pattern: 'pattern', path: 'path?', files: 'file_pattern?' },
    { given: 'seldom' },
  ],
  ['List', 'lists a directory', { path: 'dirpath' }],
  ['Fetch', 'fetches a web page', { url: 'url' }],
  ['Checklist', 'keeps the list of things to do', {}, { own: ['checklist'] }],
  asks('AskQuestion', { own: ['question', 'options'] }),
  ['Skills', 'loads a skill', { skill: 'skill_name' }],
])

/** `sessions/<session>.json`, beside a list of them. */
const cnPlace: SessionPlace = {
  roots: (surroundings) =>
    ownFolder(surroundings, {
      variable: 'CONTINUE_GLOBAL_DIR',
      names: ['.continue'],
      behind: ['sessions'],
    }),
  sessionIn: (relativePath) => /^(?!sessions\.json$)([^/]+)\.json$/.exec(relativePath)?.[1],
  placeFor: ({ session }) => `${session}.json`,
  // It takes a copy by its id, and without one only what was written last.
  resume: ({ session }) => [['cn', '--fork', session]],
}

/** Sessions of Continue, of its command `cn` and of its extensions: one JSON document. */
export const cn: ClientFormat = {
  name: 'cn',
  place: '~/.continue/sessions/<session>.json',
  tools: cnTools,
  recognises: someRecord(({ sessionId, history }) => {
    const [first] = objectsOf(history)
    return typeof sessionId === 'string' && fieldsOf(first?.['message']) !== undefined
  }),
  reader: cnReader,
  prefix: 'cn',
  writer: cnWriter,
  home: cnPlace,
}
