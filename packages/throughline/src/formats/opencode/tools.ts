import { toolTable } from '../handoff/tool-table.ts'

/** As real sessions of versions 1.2.16 to 1.18.21 call them, and 1.18.33 gives them to its model. */
export const opencodeTools = toolTable('opencode', [
  [
    'bash',
    'runs a command',
    { command: 'command', directory: 'workdir?' },
    { asides: ['description', 'timeout'] },
  ],
  ['read', 'reads a file', { path: 'filePath', 'first line': 'offset?', lines: 'limit?' }],
  ['write', 'writes a whole file', { path: 'filePath', content: 'content' }],
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
  ['apply_patch', 'applies a patch', { patch: 'patchText' }],
  ['grep', 'searches in files', { pattern: 'pattern', path: 'path?', files: 'include?' }],
  ['glob', 'finds files by name', { pattern: 'pattern', path: 'path?' }],
  ['list', 'lists a directory', { path: 'path' }, { given: 'seldom' }],
  ['webfetch', 'fetches a web page', { url: 'url', form: 'format?' }],
  ['websearch', 'searches the web', { query: 'query' }, { given: 'seldom' }],
  ['todowrite', 'keeps the list of things to do', {}, { own: ['todos'] }],
  [
    'task',
    'gives work to a subagent',
    { task: 'prompt', description: 'description', agent: 'subagent_type' },
  ],
  ['question', 'asks the user', {}, { own: ['questions'] }],
  ['skill', 'loads a skill', { skill: 'name' }],
])
