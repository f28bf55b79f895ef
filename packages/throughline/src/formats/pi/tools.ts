import { toolTable } from '../handoff/tool-table.ts'

/** As real sessions of versions 1 and 3 of its format call them, and 0.87 gives them to its model. */
export const piTools = toolTable('pi', [
  ['bash', 'runs a command', { command: 'command' }, { asides: ['timeout'] }],
  ['read', 'reads a file', { path: 'path', 'first line': 'offset?', lines: 'limit?' }],
  ['write', 'writes a whole file', { path: 'path', content: 'content' }],
  [
    'edit',
    'changes a part of a file',
    { path: 'path', 'old text': 'edits[].oldText', 'new text': 'edits[].newText' },
  ],
  [
    // Before it took several edits at once.
    'edit',
    'changes a part of a file',
    { path: 'path', 'old text': 'oldText', 'new text': 'newText' },
    { given: 'seldom' },
  ],
  [
    'grep',
    'searches in files',
    { pattern: 'pattern', path: 'path?', files: 'glob?' },
    { given: 'seldom' },
  ],
  ['find', 'finds files by name', { pattern: 'pattern', path: 'path?' }, { given: 'seldom' }],
  ['ls', 'lists a directory', { path: 'path' }, { given: 'seldom' }],
])
