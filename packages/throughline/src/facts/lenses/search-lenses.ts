import { textOf, textsOf } from './arguments.ts'
import type { Effect, ToolLens } from '../lens.ts'

/** Tools that look for files or in them. */
export const searchLens: ToolLens = {
  tools: [
    'grep',
    'glob',
    'ls',
    'list',
    'rg',
    'grep_search',
    'search_file_content',
    'list_directory',
    'list_dir',
    'find',
    'file_search',
    'codebase_search',
    'search_files',
    'directory_tree',
    'create_directory',
  ],
  read: ({ input }) => {
    const words = textOf(input, 'pattern', 'query', 'regex', 'path', 'dir_path') ?? ''
    const [path, ...others] = textsOf(input, 'path', 'paths', 'file')
    const only = others.length === 0 && path !== undefined && /\.[A-Za-z0-9]{1,8}$/.test(path)
    return [{ type: 'search', words, ...(only && { path }) }]
  },
}

export const webLens: ToolLens = {
  tools: [
    'webfetch',
    'websearch',
    'web_fetch',
    'web_search',
    'web_search_call',
    'google_web_search',
    'fetch',
  ],
  read: ({ input }): Effect[] => {
    const [words] = textsOf(input, 'query', 'url', 'queries', 'prompt')
    return words === undefined ? [] : [{ type: 'search', words }]
  },
}

/** Tools without effects on files: their arguments are messages to others. */
export const talkLens: ToolLens = {
  tools: [
    'task',
    'agent',
    'skill',
    'spawn_agent',
    'wait_agent',
    'close_agent',
    'send_input',
    'read_agent',
    'think',
    'report_intent',
    'ask_user',
    'askuserquestion',
    'exitplanmode',
    'enterplanmode',
    'exit_plan_mode',
    'toolsearch',
    'slashcommand',
    'finish',
    'sql',
    'session_store_sql',
    'todoread',
    'tasklist',
    'taskget',
    'list_mcp_resources',
    'read_mcp_resource',
    'request_user_input',
    'save_memory',
  ],
  read: () => [],
}
