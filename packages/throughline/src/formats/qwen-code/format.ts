import { qwenCodeWriter } from './writer.ts'
import { fieldsOf, type Fields } from '../../json/fields.ts'
import { ownFolder, type ClientFormat, type SessionPlace } from '../writing/harness.ts'
import { qwenCodeReader } from './reader.ts'
import { someRecord } from '../reading/some-record.ts'
import { toolTable } from '../handoff/tool-table.ts'
import {
  asks,
  delegates,
  edits,
  fetches,
  globs,
  greps,
  keepsTodos,
  lists,
  loadsSkills,
  writes,
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

/** `projects/<the directory, flattened>/chats/<session>.jsonl`. */
const qwenCodePlace: SessionPlace = {
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

/** Qwen Code's sessions: one JSON record a line, linked by uuids, with messages as Gemini has them. */
export const qwenCode: ClientFormat = {
  name: 'qwen-code',
  place: '~/.qwen/projects/<project>/chats/<session>.jsonl',
  tools: qwenCodeTools,
  recognises: someRecord(isQwenCode),
  reader: qwenCodeReader,
  prefix: 'qwen',
  writer: qwenCodeWriter,
  home: qwenCodePlace,
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

function slugOf(directory: string): string {
  // This only happens on Windows, where paths begin with a drive.
  const known = /^[a-z]:[\\/]/i.test(directory) ? directory.toLowerCase() : directory
  return known.replace(/[^a-zA-Z0-9]/g, '-')
}
