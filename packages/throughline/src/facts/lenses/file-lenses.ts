import { fieldsOf, hasFailed, itemsOf, numberOf, pathOf, textOf, textsOf } from './arguments.ts'
import { memoryCommand } from './memory-call.ts'
import type { Effect, LensCall, ToolLens } from '../lens.ts'

/** Tools that show a file. */
export const readLens: ToolLens = {
  tools: [
    'read',
    'read_file',
    'view',
    'view_file',
    'view_image',
    'open_file',
    'notebookread',
    'read_text_file',
    'read_media_file',
    'cat_file',
  ],
  read: ({ input, output, failed }) => {
    const path = pathOf(input)
    if (path === undefined || failed || showsDirectory(output)) return []
    const range = rangeOf(input)
    return [{ type: 'read', path, ...(range && { range }) }]
  },
}

/** Gemini and MCP servers read several at once; patterns among them aren't paths. */
export const readManyLens: ToolLens = {
  tools: ['read_many_files', 'read_multiple_files', 'read_files'],
  read: ({ input, failed }) =>
    failed
      ? []
      : [
          ...textsOf(input, 'paths', 'include', 'files', 'file_paths'),
          // Cline
          ...itemsOf(input, 'files').flatMap((file) => pathOf(file) ?? []),
        ]
          .filter((path) => !/[*?{]/.test(path))
          .map((path) => ({ type: 'read', path })),
}

export const writeLens: ToolLens = {
  tools: [
    'write',
    'write_file',
    'create',
    'create_file',
    'file_write',
    'save_file',
    'write_to_file',
  ],
  read: (call) => {
    const path = pathOf(call.input)
    if (path === undefined) return []
    if (hasFailed(call)) return [failure(call, path)]
    return [{ type: overwrote(call.output) ? 'edit' : 'create', path }]
  },
}

/**
 * Tools that change parts of a file: the one that they name, or the one that is open. An empty old
 * text creates a new file.
 */
export const editLens: ToolLens = {
  tools: [
    'edit',
    'multiedit',
    'multi_edit',
    'edit_file',
    'replace',
    'str_replace',
    'search_replace',
    'notebookedit',
    'edit_notebook',
    'insert',
    'insert_edit_into_file',
    'replace_string_in_file',
    'apply_diff',
    'editor',
  ],
  read: (call) => {
    const path = pathOf(call.input) ?? textOf(call.input, 'target_file') ?? openFile(call.output)
    if (path === undefined) return []
    if (hasFailed(call)) return [failure(call, path)]
    const fields = fieldsOf(call.input)
    const made = [fields['old_string'], fields['oldString'], fields['old_str']].includes('')
    return [{ type: made && !overwrote(call.output) ? 'create' : 'edit', path }]
  },
}

/** One tool with a field for the action: OpenHands, SWE-agent and Anthropic's editor. */
export const editorLens: ToolLens = {
  tools: [
    'str_replace_editor',
    'str_replace_based_edit_tool',
    'str_replace_based_edit',
    'file_editor',
    'text_editor',
    'edit_tool',
  ],
  read: (call) => {
    const path = pathOf(call.input)
    const command = textOf(call.input, 'command')
    if (path === undefined) return []
    if (hasFailed(call)) return command === 'view' ? [] : [failure(call, path)]
    if (command === 'create') return [{ type: 'create', path }]
    if (command === 'view') return viewed(call, path)
    return command === undefined ? [] : [{ type: 'edit', path }]
  },
}

/** Anthropic's memory tool, `memory_20250818`. Its commands are not those of a shell. */
export const memoryLens: ToolLens = {
  tools: ['memory'],
  read: (call) => {
    const path = pathOf(call.input) ?? textOf(call.input, 'old_path')
    const command = memoryCommand(call.tool, call.input)
    if (path === undefined || command === undefined) return []
    if (hasFailed(call) || refused(call.output)) {
      return command === 'view' ? [] : [failure(call, path)]
    }
    switch (command) {
      case 'view':
        return viewed(call, path)
      case 'create':
        return [{ type: 'create', path }]
      case 'delete':
        return [{ type: 'delete', path, tree: true }]
      case 'rename': {
        const to = textOf(call.input, 'new_path')
        return to === undefined ? [] : [{ type: 'rename', path, to }]
      }
      default:
        return [{ type: 'edit', path }]
    }
  },
}

/** As Anthropic words what such a tool answers; some hosts mark no failure. */
function refused(output: string | undefined): boolean {
  return /^(?:The (?:path|destination) \S{1,400} (?:does not exist|already exists|is not a file)|File \S{1,400} already exists|No replacement was performed|Invalid `insert_line`|Cannot (?:delete|rename) the )/.test(
    output?.slice(0, 600) ?? '',
  )
}

/** Tools of file servers that move and delete. */
export const moveLens: ToolLens = {
  tools: ['move_file', 'rename_file', 'delete_file', 'remove_file'],
  read: (call) => {
    if (hasFailed(call)) return []
    const path =
      pathOf(call.input) ?? textOf(call.input, 'source', 'old_path', 'from', 'target_file')
    const to = textOf(call.input, 'destination', 'new_path', 'to', 'target')
    if (path === undefined) return []
    if (/^(?:delete|remove)/i.test(call.tool)) return [{ type: 'delete', path }]
    return to === undefined ? [] : [{ type: 'rename', path, to }]
  },
}

function viewed({ input, output }: LensCall, path: string): Effect[] {
  if (showsDirectory(output)) return []
  const range = rangeOf(input)
  return [{ type: 'read', path, ...(range && { range }) }]
}

function failure({ output = '' }: LensCall, path: string): Effect {
  return { type: 'failure', text: output, path }
}

function showsDirectory(output: string | undefined): boolean {
  const start = output?.slice(0, 600) ?? ''
  return (
    start.includes('<type>directory</type>') ||
    /^Here'(?:s|re) the files and directories/.test(start)
  )
}

function overwrote(output: string | undefined): boolean {
  return /\b(?:has been updated|overwrote|overwritten|updated successfully)\b/i.test(
    output?.slice(0, 400) ?? '',
  )
}

/** The requested lines, in the forms of the harnesses; none for the whole file. */
function rangeOf(input: unknown): [number, number] | undefined {
  const view = fieldsOf(input)['view_range']
  if (Array.isArray(view) && view.length === 2) return checked(Number(view[0]), Number(view[1]))
  const first = numberOf(input, 'start_line', 'startLine')
  if (first !== undefined) return checked(first, numberOf(input, 'end_line', 'endLine'))
  const limit = numberOf(input, 'limit')
  const offset = numberOf(input, 'offset')
  if (limit === undefined) return undefined
  const start = Math.max(1, offset ?? 1)
  return checked(start, start + limit - 1)
}

function checked(first: number, last: number | undefined): [number, number] | undefined {
  if (last === undefined || !Number.isSafeInteger(first) || !Number.isSafeInteger(last))
    return undefined
  return first >= 1 && last >= first ? [first, last] : undefined
}

/** SWE-agent's editor names the open file below each output and above each window. */
const STATE = '(Open file: '
const WINDOW = '[File: '

/** The file that a call of such an editor changed: the one that was open. */
function openFile(output: string | undefined): string | undefined {
  if (output === undefined) return undefined
  const tail = output.slice(-600)
  const state = tail.lastIndexOf(STATE)
  const line = state < 0 ? '' : (tail.slice(state + STATE.length).split('\n', 1)[0] ?? '')
  const open = line.endsWith(')') ? line.slice(0, -1) : ''
  if (open !== '' && open !== 'n/a') return open
  const window = output.indexOf(WINDOW)
  if (window < 0) return undefined
  const shown = output.slice(window + WINDOW.length, window + 600).split('\n', 1)[0] ?? ''
  const end = shown.lastIndexOf(' (')
  return end > 0 && /^ \(\d{1,9} lines total\)\]\r?$/.test(shown.slice(end))
    ? shown.slice(0, end)
    : undefined
}
