/** A command that a model without tools wrote into its text, as the call of a tool. */
export interface TextAction {
  toolName: string
  input: Record<string, string>
}

/** SWE-agent's own commands are tools; all others are the shell's. */
export function textAction(action: string): TextAction {
  const [toolName = '', first = '', second = ''] = wordsOf(action.slice(0, 1000))
  switch (toolName) {
    case 'open':
      return { toolName, input: { path: first, ...(second && { line_number: second }) } }
    case 'create':
      return { toolName, input: { filename: first } }
    case 'str_replace_editor':
      return { toolName, input: { command: first, path: second, action } }
    case 'edit':
    case 'insert':
      return { toolName, input: { text: action.trimStart().slice(toolName.length).trimStart() } }
    default:
      return { toolName: ownTools.has(toolName) ? toolName : 'bash', input: { command: action } }
  }
}

const ownTools: ReadonlySet<string> = new Set([
  'goto',
  'scroll_up',
  'scroll_down',
  'find_file',
  'search_dir',
  'search_file',
  'submit',
  'exit_cost',
  'exit_context',
  'exit_forfeit',
])

function wordsOf(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  )
}

const opening = '```bash'
const closing = '\n```'

/** mini-swe-agent's form: one block of shell in the text. */
export function shellBlock(text: string): { thought: string; action: string } | undefined {
  const start = text.indexOf(opening)
  const from = start < 0 ? -1 : text.indexOf('\n', start)
  const end = from < 0 ? -1 : text.indexOf(closing, from)
  if (end < 0 || text.slice(start + opening.length, from).trim() !== '') return undefined
  const behind = text.slice(end + closing.length).trim()
  const thought = [text.slice(0, start).trimEnd(), behind]
    .filter((part) => part !== '')
    .join('\n\n')
  return { thought, action: text.slice(from + 1, end) }
}
