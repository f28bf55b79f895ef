import { ownText } from './own-text.ts'
import type { TodoFact } from './facts.ts'
import type { FactsState } from './fold-memory.ts'
import type { Effect } from './lens.ts'
import type { Seq } from '../log/entry.ts'

const MOST_TODOS = 200
const LONGEST_TODO = 300

type TodoEffect = Extract<Effect, { type: 'todo' | 'todos' | 'todo-status' }>

/** Applies one effect to the to-do list; a tool's list replaces one in prose. */
export function noteTodo(facts: FactsState, effect: TodoEffect, seq: Seq): void {
  if (effect.type === 'todos' || facts.memory.todoSource === 'prose') facts.todos = []
  facts.memory.todoSource = 'tool'
  if (effect.type === 'todo') addTodo(facts, effect, seq)
  if (effect.type === 'todo-status') changeTodo(facts, effect, seq)
}

function addTodo(
  facts: FactsState,
  { text, status, id }: Extract<TodoEffect, { type: 'todo' }>,
  seq: Seq,
): void {
  const known = facts.todos.find((todo) => (id === undefined ? todo.text === text : todo.id === id))
  if (known) Object.assign(known, { text: shorten(text), status, seq })
  else if (facts.todos.length < MOST_TODOS) {
    facts.todos.push({ text: shorten(text), status, seq, ...(id !== undefined && { id }) })
  }
}

function changeTodo(
  facts: FactsState,
  { id, status, text }: Extract<TodoEffect, { type: 'todo-status' }>,
  seq: Seq,
): void {
  if (status === 'gone') {
    facts.todos = facts.todos.filter((todo) => todo.id !== id)
    return
  }
  const known = facts.todos.find((todo) => todo.id === id)
  if (known)
    Object.assign(known, { status, seq, ...(text !== undefined && { text: shorten(text) }) })
}

/** Two or more boxes are a list; one alone is an example. */
const FEWEST_BOXES = 2
const BOX = /^\s{0,12}(?:[-*+]|\d{1,3}[.)]) \[([ xX~/-])\] (.+)$/

/** `- [ ] …` in the assistant's text, if it has no tool for its list. */
export function noteTodosInProse(facts: FactsState, text: string, seq: Seq): void {
  if (facts.memory.todoSource === 'tool' || !text.includes('[')) return
  const todos: TodoFact[] = []
  for (const line of text.split('\n')) {
    const match = line.length > 600 ? null : BOX.exec(line)
    if (match?.[2] === undefined || todos.length >= MOST_TODOS) continue
    const status = match[1] === ' ' ? 'open' : match[1]?.toLowerCase() === 'x' ? 'done' : 'active'
    todos.push({ text: shorten(match[2].trim()), status, seq })
  }
  if (todos.length < FEWEST_BOXES) return
  facts.todos = todos
  facts.memory.todoSource = 'prose'
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return ownText(line.length <= LONGEST_TODO ? line : `${line.slice(0, LONGEST_TODO - 1)}…`)
}
