import { toolTable } from '../handoff/tool-table.ts'

const list = 'keeps the list of things to do'
const subagent = { task: 'prompt', description: 'description' }

/** As real sessions of versions 2.1.7 to 2.1.219 call them, and 2.1.330 gives them to its model. */
export const claudeCodeTools = toolTable('Claude Code', [
  [
    'Bash',
    'runs a command',
    { command: 'command', description: 'description?' },
    { asides: ['description', 'timeout'] },
  ],
  ['Read', 'reads a file', { path: 'file_path', 'first line': 'offset?', lines: 'limit?' }],
  ['Write', 'writes a whole file', { path: 'file_path', content: 'content' }],
  [
    'Edit',
    'changes a part of a file',
    {
      path: 'file_path',
      'old text': 'old_string',
      'new text': 'new_string',
      everywhere: 'replace_all?',
    },
    { usual: { replace_all: false } },
  ],
  [
    'Grep',
    'searches in files',
    { pattern: 'pattern', path: 'path?', files: 'glob?' },
    { usual: { output_mode: 'content', '-n': true }, given: 'seldom' },
  ],
  ['Glob', 'finds files by name', { pattern: 'pattern', path: 'path?' }, { given: 'seldom' }],
  ['LS', 'lists a directory', { path: 'path' }, { given: 'seldom' }],
  [
    'WebFetch',
    'fetches a web page',
    { url: 'url', question: 'prompt' },
    { given: 'after a search' },
  ],
  ['WebSearch', 'searches the web', { query: 'query' }, { given: 'after a search' }],
  ['TaskCreate', list, {}, { own: ['subject', 'description'] }],
  ['TaskUpdate', list, {}, { own: ['taskId', 'status'] }],
  ['TodoWrite', list, {}, { own: ['todos'], given: 'seldom' }],
  ['Agent', 'gives work to a subagent', subagent, { own: ['subagent_type'] }],
  ['Task', 'gives work to a subagent', subagent, { own: ['subagent_type'], given: 'seldom' }],
  ['AskUserQuestion', 'asks the user', {}, { own: ['questions'] }],
  ['Skill', 'loads a skill', { skill: 'skill' }],
])
