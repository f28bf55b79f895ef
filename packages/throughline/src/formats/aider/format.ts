import { aiderReader } from './reader.ts'
import { printedLine, startIn, typedLine } from './signs.ts'
import { toolTable } from '../handoff/tool-table.ts'
import { writes } from '../handoff/tool-rows.ts'
import type { Format } from '../format.ts'

/** What an edit in a reply is read as. */
const aiderTools = toolTable('aider', [
  [
    'search_replace',
    'changes a part of a file',
    { path: 'file_path', 'old text': 'old_string', 'new text': 'new_string' },
  ],
  writes('write_file'),
])

/** The chats of aider in a project: one Markdown file, to which each start of it adds. */
export const aider: Format = {
  name: 'aider',
  place: '.aider.chat.history.md in the folder of a project',
  syntax: 'text',
  recognises: (records) => {
    const lines = records.filter((line) => typeof line === 'string' && line.trim() !== '')
    const [first, second] = lines as string[]
    if (first === undefined || startIn(first) === undefined) return false
    return second === undefined || isOwn(second)
  },
  reader: aiderReader,
  tools: aiderTools,
}

function isOwn(line: string): boolean {
  return [startIn(line), printedLine(line), typedLine(line)].some((found) => found !== undefined)
}
