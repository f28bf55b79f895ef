import { fieldsOf, itemsOf, textOf } from './arguments.ts'
import type { Effect, ToolLens } from '../lens.ts'

type Status = 'open' | 'active' | 'done'

export const todoListLens: ToolLens = {
  tools: [
    'todowrite',
    'todo_write',
    'update_plan',
    'write_todos',
    'manage_todo_list',
    'task_tracker',
  ],
  read: ({ input, output, failed }) => {
    if (failed || output === undefined) return []
    const items = ['todos', 'plan', 'todoList', 'task_list', 'items'].map((key) =>
      itemsOf(input, key),
    )
    const list = items.find((found) => found.length > 0)
    if (list === undefined && textOf(input, 'command') !== undefined) return []
    return [{ type: 'todos' }, ...(list ?? []).flatMap(todoOf)]
  },
}

function todoOf(item: unknown): Effect[] {
  const text =
    typeof item === 'string'
      ? item
      : textOf(item, 'content', 'step', 'text', 'description', 'title')
  if (text === undefined) return []
  return [{ type: 'todo', text, status: statusOf(textOf(item, 'status')) }]
}

function statusOf(status: string | undefined): Status {
  if (status === undefined) return 'open'
  if (/^(?:completed?|done|cancell?ed|finished)$/i.test(status)) return 'done'
  return /^(?:in[_ -]?progress|active|doing|started)$/i.test(status) ? 'active' : 'open'
}

/** Claude Code's tasks: the result contains the number of a new one. */
export const taskCreateLens: ToolLens = {
  tools: ['taskcreate'],
  read: ({ input, output, failed }) => {
    const text = textOf(input, 'subject', 'description')
    if (failed || output === undefined || text === undefined) return []
    const id = /[Tt]ask #(\w{1,20})/.exec(output.slice(0, 200))?.[1]
    return [{ type: 'todo', text, status: 'open', ...(id !== undefined && { id }) }]
  },
}

export const taskUpdateLens: ToolLens = {
  tools: ['taskupdate'],
  read: ({ input, output, failed }) => {
    const id = fieldsOf(input)['taskId']
    const status = textOf(input, 'status')
    const text = textOf(input, 'subject')
    if (failed || output === undefined || (typeof id !== 'string' && typeof id !== 'number'))
      return []
    if (status === undefined) return []
    const known = status === 'deleted' ? 'gone' : statusOf(status)
    return [
      { type: 'todo-status', id: String(id), status: known, ...(text !== undefined && { text }) },
    ]
  },
}
