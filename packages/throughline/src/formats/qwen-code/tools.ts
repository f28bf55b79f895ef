import type { ToolTable } from '../handoff/tool-table.ts'

/** As its own definitions of tools say. */
export const qwenCodeTools: ToolTable = {
  label: 'Qwen Code',
  tools: [
    {
      name: 'run_shell_command',
      kind: 'runs a command',
      arguments: { command: 'command', directory: 'directory', description: 'description' },
      needs: ['command'],
      asides: ['description', 'timeout'],
      usual: { is_background: false },
    },
    {
      name: 'read_file',
      kind: 'reads a file',
      arguments: { path: 'file_path', 'first line, from 0': 'offset', lines: 'limit' },
      needs: ['path'],
    },
    {
      name: 'write_file',
      kind: 'writes a whole file',
      arguments: { path: 'file_path', content: 'content' },
      needs: ['path', 'content'],
    },
    {
      name: 'edit',
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
      name: 'grep_search',
      kind: 'searches in files',
      arguments: { pattern: 'pattern', path: 'path', files: 'glob' },
      needs: ['pattern'],
    },
    {
      name: 'glob',
      kind: 'finds files by name',
      arguments: { pattern: 'pattern', path: 'path' },
      needs: ['pattern'],
    },
    {
      name: 'list_directory',
      kind: 'lists a directory',
      arguments: { path: 'path' },
      needs: ['path'],
    },
    {
      name: 'web_fetch',
      kind: 'fetches a web page',
      arguments: { url: 'url', question: 'prompt' },
      needs: ['url', 'question'],
    },
    {
      name: 'todo_write',
      kind: 'keeps the list of things to do',
      arguments: {},
      needs: [],
      own: ['todos'],
    },
    {
      name: 'agent',
      kind: 'gives work to a subagent',
      arguments: { task: 'prompt', description: 'description' },
      needs: ['task', 'description'],
      own: ['subagent_type'],
    },
    {
      name: 'ask_user_question',
      kind: 'asks the user',
      arguments: {},
      needs: [],
      own: ['questions'],
    },
    { name: 'skill', kind: 'loads a skill', arguments: { skill: 'skill' }, needs: ['skill'] },
  ],
}
