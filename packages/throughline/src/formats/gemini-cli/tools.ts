import type { ToolTable } from '../handoff/tool-table.ts'

/** As real sessions call them, and its own declarations for Gemini 3 say. */
export const geminiCliTools: ToolTable = {
  label: 'Gemini CLI',
  tools: [
    {
      name: 'run_shell_command',
      kind: 'runs a command',
      arguments: { command: 'command', directory: 'dir_path', description: 'description' },
      needs: ['command'],
      asides: ['description'],
      usual: { is_background: false },
    },
    {
      name: 'read_file',
      kind: 'reads a file',
      arguments: { path: 'file_path', 'first line': 'start_line', 'last line': 'end_line' },
      needs: ['path'],
    },
    {
      name: 'write_file',
      kind: 'writes a whole file',
      arguments: { path: 'file_path', content: 'content' },
      needs: ['path', 'content'],
    },
    {
      name: 'replace',
      kind: 'changes a part of a file',
      arguments: {
        path: 'file_path',
        'old text': 'old_string',
        'new text': 'new_string',
        everywhere: 'allow_multiple',
        instruction: 'instruction',
      },
      needs: ['path', 'old text', 'new text', 'instruction'],
      asides: ['instruction'],
      usual: { allow_multiple: false },
    },
    {
      name: 'grep_search',
      kind: 'searches in files',
      arguments: { pattern: 'pattern', path: 'dir_path', files: 'include_pattern' },
      needs: ['pattern'],
    },
    {
      name: 'glob',
      kind: 'finds files by name',
      arguments: { pattern: 'pattern', path: 'dir_path' },
      needs: ['pattern'],
    },
    {
      name: 'list_directory',
      kind: 'lists a directory',
      arguments: { path: 'dir_path' },
      needs: ['path'],
    },
    {
      name: 'web_fetch',
      kind: 'fetches a web page',
      arguments: {},
      needs: [],
      own: ['prompt'],
    },
    {
      name: 'google_web_search',
      kind: 'searches the web',
      arguments: { query: 'query' },
      needs: ['query'],
    },
    {
      name: 'write_todos',
      kind: 'keeps the list of things to do',
      arguments: {},
      needs: [],
      own: ['todos'],
    },
    { name: 'ask_user', kind: 'asks the user', arguments: {}, needs: [], own: ['questions'] },
    {
      name: 'activate_skill',
      kind: 'loads a skill',
      arguments: { skill: 'name' },
      needs: ['skill'],
    },
  ],
}
