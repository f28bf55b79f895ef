import { textProblems, type Fields } from './texts.ts'

export interface ChatBody {
  messages: readonly (Fields & { role: string })[]
}

/**
 * What Chat Completions rejects with 400 in a request's messages; empty if nothing. The strictest
 * rules of OpenAI and compatible servers: a single system prompt first, a tool message for each
 * call right after it, arguments as JSON text, results as text.
 */
export function chatProblems({ messages }: ChatBody): string[] {
  const problems = textProblems(messages)
  let open = new Set<string>()
  messages.forEach((message, index) => {
    const say = (problem: string): number => problems.push(`message ${index}: ${problem}`)
    const { role, content } = message
    for (const field of Object.keys(message)) if (!known.has(field)) say(`a field ${field}`)
    if (role === 'tool') {
      if (!open.delete(String(message['tool_call_id']))) say('a result of no call before it')
      if (typeof content !== 'string') say('a result that is no text')
      return
    }
    if (open.size > 0) say(`no results of ${[...open].join(', ')} before it`)
    open = new Set()
    if (role === 'system' && index > 0) say('a system message behind others')
    if (!['system', 'user', 'assistant'].includes(role)) say(`of the role ${role}`)
    const calls = (message['tool_calls'] ?? []) as Call[]
    if (content === null ? calls.length === 0 : isEmpty(content)) say('nothing in it')
    if (role !== 'assistant' && message['tool_calls']) say('calls of another than the assistant')
    for (const call of calls) {
      for (const problem of callProblems(call.id, call.function)) say(problem)
      if (open.has(call.id)) say(`the id ${call.id} twice`)
      open.add(call.id)
    }
  })
  if (open.size > 0) problems.push(`no results of ${[...open].join(', ')}`)
  return problems
}

interface Call {
  id: string
  function: Fields
}

const known = new Set(['name', 'role', 'content', 'tool_calls', 'tool_call_id'])

function isEmpty(content: unknown): boolean {
  if (typeof content === 'string') return content.trim() === ''
  return (content as unknown[]).length === 0
}

export interface ResponsesBody {
  instructions?: string
  input: readonly (Fields & { type: string })[]
}

/** What the Responses API rejects with 400 in a request's input; empty if nothing. */
export function responsesProblems({ input }: ResponsesBody): string[] {
  const problems = textProblems(input)
  const open = new Set<string>()
  input.forEach((item, index) => {
    const say = (problem: string): number => problems.push(`item ${index}: ${problem}`)
    const id = String(item['call_id'])
    switch (item.type) {
      case 'function_call':
        for (const problem of callProblems(id, item)) say(problem)
        if (open.has(id)) say(`the id ${id} twice`)
        open.add(id)
        return
      case 'function_call_output':
        if (!open.delete(id)) say('an output of no call before it')
        return
      case 'message':
        if (open.size > 0 && item['role'] === 'user') say('the user before the outputs')
        if (isEmpty(item['content'])) say('nothing in it')
        return
      default:
        say(`of the type ${item.type}`)
    }
  })
  if (open.size > 0) problems.push(`no outputs of ${[...open].join(', ')}`)
  return problems
}

function callProblems(id: string, { name, arguments: input }: Fields): string[] {
  if (!/^[\w-]{1,40}$/.test(id)) return [`the id ${id}`]
  if (!/^[\w-]{1,64}$/.test(String(name))) return [`the name ${String(name)}`]
  const parsed: unknown = typeof input === 'string' ? JSON.parse(input) : undefined
  return typeof parsed === 'object' && parsed ? [] : ['arguments that are no object as JSON text']
}
