import { geminiCliWriter } from './writer.ts'
import { someRecord } from '../reading/some-record.ts'
import { geminiCliReader } from './reader.ts'
import { ownFolder, type ClientFormat, type SessionPlace } from '../writing/harness.ts'
import { toolTable } from '../handoff/tool-table.ts'
import { writes, searchesTheWeb, keepsTodos, asks, loadsSkills } from '../handoff/tool-rows.ts'

/** As real sessions call them, and 0.61.0 gives them to its model. */
const geminiCliTools = toolTable('Gemini CLI', [
  [
    'run_shell_command',
    'runs a command',
    { command: 'command', directory: 'dir_path?', description: 'description?' },
    { asides: ['description', 'delay_ms'], usual: { is_background: false } },
  ],
  [
    'read_file',
    'reads a file',
    { path: 'file_path', 'first line': 'start_line?', 'last line': 'end_line?' },
  ],
  writes('write_file'),
  [
    'replace',
    'changes a part of a file',
    {
      path: 'file_path',
      'old text': 'old_string',
      'new text': 'new_string',
      everywhere: 'allow_multiple?',
      instruction: 'instruction',
    },
    { asides: ['instruction'], usual: { allow_multiple: false } },
  ],
  [
    'grep_search',
    'searches in files',
    { pattern: 'pattern', path: 'dir_path?', files: 'include_pattern?' },
  ],
  ['glob', 'finds files by name', { pattern: 'pattern', path: 'dir_path?' }],
  ['list_directory', 'lists a directory', { path: 'dir_path' }],
  ['web_fetch', 'fetches a web page', {}, { own: ['prompt'] }],
  searchesTheWeb('google_web_search'),
  keepsTodos('write_todos'),
  ['invoke_agent', 'gives work to a subagent', {}, { own: ['agent_name', 'prompt'] }],
  asks('ask_user'),
  loadsSkills('activate_skill', 'name'),
])

/** `tmp/<project>/chats/session-<time>-<first part of the session>.jsonl`. */
const geminiCliPlace: SessionPlace = {
  roots: (surroundings) =>
    ownFolder(surroundings, {
      variable: 'GEMINI_CLI_HOME',
      names: [],
      behind: ['.gemini', 'tmp'],
    }),
  sessionIn: (relativePath) =>
    /^[^/]+\/chats\/session-(?:[\dT-]+-)?([^/]+)\.jsonl?$/.exec(relativePath)?.[1],
  // It accepts a session from any file, and only it knows its name for a project.
  placeFor: () => undefined,
  resume: ({ file }) => [['gemini', '--session-file', file]],
}

/** Gemini CLI's sessions: one JSON document, or JSON Lines in newer versions. */
export const geminiCli: ClientFormat = {
  name: 'gemini-cli',
  place: '~/.gemini/tmp/<project>/chats/session-….json',
  tools: geminiCliTools,
  recognises: someRecord(
    ({ sessionId, projectHash }) =>
      typeof sessionId === 'string' && typeof projectHash === 'string',
  ),
  reader: geminiCliReader,
  prefix: 'gemini',
  writer: geminiCliWriter,
  home: geminiCliPlace,
}
