import type { ToolTable } from '../handoff/tool-table.ts'

/** As real sessions of versions 1.2.16 to 1.18.21 call them, and its own parameters say. */
export const opencodeTools: ToolTable = {
  label: 'opencode',
  tools: [
    {
      name: 'bash',
      kind: 'runs a command',
      arguments: { command: 'command', directory: 'workdir', description: 'description' },
      needs: ['command', 'description'],
      asides: ['description', 'timeout'],
      toldBy: { description: 'command' },
    },
    {
      name: 'read',
      kind: 'reads a file',
      arguments: { path: 'filePath', 'first line': 'offset', lines: 'limit' },
      needs: ['path'],
    },
    {
      name: 'write',
      kind: 'writes a whole file',
      arguments: { path: 'filePath', content: 'content' },
      needs: ['path', 'content'],
    },
    {
      name: 'edit',
      kind: 'changes a part of a file',
      arguments: {
        path: 'filePath',
        'old text': 'oldString',
        'new text': 'newString',
        everywhere: 'replaceAll',
      },
      needs: ['path', 'old text', 'new text'],
      usual: { replaceAll: false },
    },
    {
      name: 'apply_patch',
      kind: 'applies a patch',
      arguments: { patch: 'patchText' },
      needs: ['patch'],
    },
    {
      name: 'grep',
      kind: 'searches in files',
      arguments: { pattern: 'pattern', path: 'path', files: 'include' },
      needs: ['pattern'],
    },
    {
      name: 'glob',
      kind: 'finds files by name',
      arguments: { pattern: 'pattern', path: 'path' },
      needs: ['pattern'],
    },
    { name: 'list', kind: 'lists a directory', arguments: { path: 'path' }, needs: ['path'] },
    {
      name: 'webfetch',
      kind: 'fetches a web page',
      arguments: { url: 'url', form: 'format' },
      needs: ['url', 'form'],
    },
    {
      name: 'websearch',
      kind: 'searches the web',
      arguments: { query: 'query' },
      needs: ['query'],
    },
    {
      name: 'todowrite',
      kind: 'keeps the list of things to do',
      arguments: {},
      needs: [],
      own: ['todos'],
    },
    {
      name: 'task',
      kind: 'gives work to a subagent',
      arguments: { task: 'prompt', description: 'description', agent: 'subagent_type' },
      needs: ['task', 'description', 'agent'],
    },
    { name: 'question', kind: 'asks the user', arguments: {}, needs: [], own: ['questions'] },
    { name: 'skill', kind: 'loads a skill', arguments: { skill: 'name' }, needs: ['skill'] },
  ],
}
