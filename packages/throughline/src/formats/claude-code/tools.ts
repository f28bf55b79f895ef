import type { KnownTool, ToolTable } from '../handoff/tool-table.ts'

const subagent: Omit<KnownTool, 'name'> = {
  kind: 'gives work to a subagent',
  arguments: { task: 'prompt', description: 'description' },
  needs: ['task', 'description'],
  own: ['subagent_type'],
}

/** As real sessions of versions 2.1.7 to 2.1.219 call them. */
export const claudeCodeTools: ToolTable = {
  label: 'Claude Code',
  tools: [
    {
      name: 'Bash',
      kind: 'runs a command',
      arguments: { command: 'command', description: 'description' },
      needs: ['command'],
      asides: ['description', 'timeout'],
    },
    {
      name: 'Read',
      kind: 'reads a file',
      arguments: { path: 'file_path', 'first line': 'offset', lines: 'limit' },
      needs: ['path'],
    },
    {
      name: 'Write',
      kind: 'writes a whole file',
      arguments: { path: 'file_path', content: 'content' },
      needs: ['path', 'content'],
    },
    {
      name: 'Edit',
      kind: 'changes a part of a file',
      arguments: {
        path: 'file_path',
        'old text': 'old_string',
        'new text': 'new_string',
        everywhere: 'replace_all',
      },
      needs: ['path', 'old text', 'new text'],
      usual: { replace_all: false },
    },
    {
      name: 'Grep',
      kind: 'searches in files',
      arguments: { pattern: 'pattern', path: 'path', files: 'glob' },
      needs: ['pattern'],
      usual: { output_mode: 'content', '-n': true },
    },
    {
      name: 'Glob',
      kind: 'finds files by name',
      arguments: { pattern: 'pattern', path: 'path' },
      needs: ['pattern'],
    },
    { name: 'LS', kind: 'lists a directory', arguments: { path: 'path' }, needs: ['path'] },
    {
      name: 'WebFetch',
      kind: 'fetches a web page',
      arguments: { url: 'url', question: 'prompt' },
      needs: ['url', 'question'],
    },
    {
      name: 'WebSearch',
      kind: 'searches the web',
      arguments: { query: 'query' },
      needs: ['query'],
    },
    {
      name: 'TodoWrite',
      kind: 'keeps the list of things to do',
      arguments: {},
      needs: [],
      own: ['todos'],
    },
    {
      name: 'TaskCreate',
      kind: 'keeps the list of things to do',
      arguments: {},
      needs: [],
      own: ['subject', 'description'],
    },
    {
      name: 'TaskUpdate',
      kind: 'keeps the list of things to do',
      arguments: {},
      needs: [],
      own: ['taskId', 'status'],
    },
    { name: 'Agent', ...subagent },
    { name: 'Task', ...subagent },
    {
      name: 'AskUserQuestion',
      kind: 'asks the user',
      arguments: {},
      needs: [],
      own: ['questions'],
    },
    { name: 'Skill', kind: 'loads a skill', arguments: { skill: 'skill' }, needs: ['skill'] },
  ],
}
