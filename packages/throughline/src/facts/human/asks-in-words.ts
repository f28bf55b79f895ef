import { messageText, partsOf, type Message } from '../../log/message.ts'

/** Elements in which agents have a model without tools write a call; their end is the reply's. */
const calls: ReadonlySet<string> = new Set([
  // mini-swe-agent
  'bash_code',
  // others
  'function_calls',
  'tool_call',
  'tool_calls',
  'tool_use',
  'invoke',
  // Cline and Roo Code
  'read_file',
  'write_to_file',
  'replace_in_file',
  'apply_diff',
  'insert_content',
  'search_and_replace',
  'search_files',
  'list_files',
  'list_code_definition_names',
  'codebase_search',
  'execute_command',
  'browser_action',
  'use_mcp_tool',
  'access_mcp_resource',
  'fetch_instructions',
  'load_mcp_documentation',
  'web_fetch',
  'web_search',
])

/** mini-swe-agent's own block of commands. */
const commandBlock = '```mswea_bash_command\n'

/** One block of commands with nothing after it, and the thought before it. */
const thoughtAndBlock = /^\s*(?:THOUGHT|DISCUSSION)\b[^`]*```(?:bash|sh|shell)?\n[^`]*```$/

/** The end of a reply is enough to see what it asks for. */
const longest = 20_000

/**
 * Whether a reply asks for a tool in words: the message behind it, in the user's place, is the tool's
 * output, and no word of it surely the human's.
 */
export function asksInWords(message: Message): boolean {
  if (message.role !== 'assistant') return false
  if (partsOf(message).some((part) => part.type === 'tool-call')) return false
  const text = messageText(message).trimEnd().slice(-longest)
  const closed = /<\/([a-z_]{4,40})>$/.exec(text.slice(-50))?.[1]
  if (closed !== undefined) return calls.has(closed) && text.includes(`<${closed}`)
  if (text.endsWith('```')) return text.includes(commandBlock) || thoughtAndBlock.test(text)
  const input = text.lastIndexOf('\nAction Input:')
  return input >= 0 && /(?:^|\n)Action: ?\S/.test(text.slice(Math.max(0, input - 300), input))
}
