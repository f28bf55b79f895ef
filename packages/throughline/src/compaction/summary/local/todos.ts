import { clipEnd } from './clip-words.ts'
import { oneLine } from './one-line.ts'
import type { Facts } from './request.ts'
import type { Room } from './room.ts'

const longestTodo = 200

/** What is under way and what is still to do, by the assistant's own list. */
export function openTodos(index: Facts, room: Room, tokens: number): string[] {
  const open = index.todos.filter(({ status }) => status !== 'done')
  const lines = open.map(({ text, status, seq }) => {
    const now = status === 'active' ? 'under way: ' : ''
    return `- ${now}${clipEnd(oneLine(text), longestTodo)} [${seq}]`
  })
  const newest = Math.max(...open.map(({ seq }) => seq))
  return labelled(`Still open, as the assistant's list last said [${newest}]:`, lines, room, tokens)
}

/** What the assistant ticked off. */
export function doneTodos(index: Facts, room: Room, tokens: number): string[] {
  const done = index.todos.filter(({ status }) => status === 'done')
  const lines = done.map(({ text, seq }) => `- ${clipEnd(oneLine(text), longestTodo)} [${seq}]`)
  return labelled('Done:', lines, room, tokens)
}

function labelled(label: string, lines: readonly string[], room: Room, tokens: number): string[] {
  const taken = room.takeFitting(lines, tokens - room.cost(label))
  return taken.length === 0 ? [] : [...room.take([label]), ...taken]
}
