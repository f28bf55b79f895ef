import { toolTable } from '../handoff/tool-table.ts'

/** As its own definitions say, and 0.24.4 gives them to its model. */
export const qwenCodeTools = toolTable('Qwen Code', [
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
  ['write_file', 'writes a whole file', { path: 'file_path', content: 'content' }],
  [
    'edit',
    'changes a part of a file',
    {
      path: 'file_path',
      'old text': 'old_string',
      'new text': 'new_string',
      everywhere: 'replace_all?',
    },
    { usual: { replace_all: false } },
  ],
  ['grep_search', 'searches in files', { pattern: 'pattern', path: 'path?', files: 'glob?' }],
  ['glob', 'finds files by name', { pattern: 'pattern', path: 'path?' }],
  ['list_directory', 'lists a directory', { path: 'path' }, { given: 'seldom' }],
  [
    'web_fetch',
    'fetches a web page',
    { url: 'url', question: 'prompt' },
    { given: 'after a search' },
  ],
  ['todo_write', 'keeps the list of things to do', {}, { own: ['todos'], given: 'seldom' }],
  [
    'agent',
    'gives work to a subagent',
    { task: 'prompt', description: 'description' },
    { own: ['subagent_type'] },
  ],
  ['ask_user_question', 'asks the user', {}, { own: ['questions'], given: 'seldom' }],
  ['skill', 'loads a skill', { skill: 'skill' }],
])
