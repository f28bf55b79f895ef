import type { ToolTable } from '../handoff/tool-table.ts'

/** As real sessions of versions 1 and 3 of its format call them, and its own parameters say. */
export const piTools: ToolTable = {
  label: 'pi',
  tools: [
    {
      name: 'bash',
      kind: 'runs a command',
      arguments: { command: 'command' },
      needs: ['command'],
      asides: ['timeout'],
    },
    {
      name: 'read',
      kind: 'reads a file',
      arguments: { path: 'path', 'first line': 'offset', lines: 'limit' },
      needs: ['path'],
    },
    {
      name: 'write',
      kind: 'writes a whole file',
      arguments: { path: 'path', content: 'content' },
      needs: ['path', 'content'],
    },
    {
      name: 'edit',
      kind: 'changes a part of a file',
      arguments: { path: 'path', 'old text': 'edits[].oldText', 'new text': 'edits[].newText' },
      needs: ['path', 'old text', 'new text'],
    },
    {
      // Before it took several edits at once.
      name: 'edit',
      kind: 'changes a part of a file',
      arguments: { path: 'path', 'old text': 'oldText', 'new text': 'newText' },
      needs: ['path', 'old text', 'new text'],
    },
    {
      name: 'grep',
      kind: 'searches in files',
      arguments: { pattern: 'pattern', path: 'path', files: 'glob' },
      needs: ['pattern'],
    },
    {
      name: 'find',
      kind: 'finds files by name',
      arguments: { pattern: 'pattern', path: 'path' },
      needs: ['pattern'],
    },
    { name: 'ls', kind: 'lists a directory', arguments: { path: 'path' }, needs: ['path'] },
  ],
}
