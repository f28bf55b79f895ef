import { fieldsOf, listOf, objectsOf, textOf, type Fields } from '../body/json.ts'

/** What an element of a conversation says, whatever form a client gives it this time. */
export interface Said {
  /** The same for the same words; `undefined` for what a client may leave out later. */
  says: unknown
  calls: readonly string[]
  /** The ids of the calls whose results it brings; the name, where an API knows no ids. */
  results: readonly string[]
}

const nothing: Said = { says: undefined, calls: [], results: [] }

/** A message of the Messages API: marks of the cache wander, and a text may be a list of one. */
export function anthropicSaid(message: Fields): Said {
  const { role, content } = message
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const calls: string[] = []
  const results: string[] = []
  const says = objectsOf(blocks).flatMap((block): unknown[] => {
    switch (block['type']) {
      case 'text':
        return block['text'] === '' ? [] : [['text', block['text']]]
      case 'thinking':
      case 'redacted_thinking':
        return []
      case 'tool_use':
        calls.push(textOf(block['id']) ?? '')
        return [['call', block['id'], block['name'], block['input']]]
      case 'tool_result':
        results.push(textOf(block['tool_use_id']) ?? '')
        return [['result', block['tool_use_id'], anthropicText(block['content'])]]
      default:
        return [withoutMarks(block)]
    }
  })
  return { says: [role, says], calls, results }
}

/** A text, or a list of blocks without what only the cache reads. */
function anthropicText(content: unknown): unknown {
  if (typeof content === 'string') return content
  const blocks = objectsOf(content)
  const [only] = blocks
  if (blocks.length === 1 && only?.['type'] === 'text') return only['text']
  return blocks.map(withoutMarks)
}

function withoutMarks(block: Fields): Fields {
  const { cache_control: _, ...rest } = block
  return rest
}

/** A message of Chat Completions: clients add fields of their own, and take them away again. */
export function chatSaid(message: Fields): Said {
  const { role, content, tool_call_id: answers } = message
  const made = objectsOf(message['tool_calls'])
  const says = [
    role,
    chatText(content),
    answers ?? null,
    made.map((call) => {
      const called = fieldsOf(call['function'])
      return [call['id'], called?.['name'], called?.['arguments']]
    }),
  ]
  const result = textOf(answers)
  return {
    says,
    calls: made.map(({ id }) => textOf(id) ?? ''),
    results: result === undefined ? [] : [result],
  }
}

function chatText(content: unknown): unknown {
  if (content === undefined || content === null || content === '') return null
  if (!Array.isArray(content)) return content
  const parts = objectsOf(content).map(withoutMarks)
  const [only] = parts
  return parts.length === 1 && only?.['type'] === 'text' ? only['text'] : parts
}

/** An item of the Responses API: ids of stored items and states come and go. */
export function responsesSaid(item: Fields): Said {
  const { type, role, content, call_id: id } = item
  switch (type) {
    case 'reasoning':
      return nothing
    case 'function_call':
    case 'custom_tool_call':
      return {
        says: [type, id, item['name'], item['arguments'] ?? item['input']],
        calls: [textOf(id) ?? ''],
        results: [],
      }
    case 'function_call_output':
    case 'custom_tool_call_output':
      return { says: [type, id, item['output']], calls: [], results: [textOf(id) ?? ''] }
    case 'message':
    case undefined: {
      const texts =
        typeof content === 'string'
          ? [content]
          : objectsOf(content).map((part) => part['text'] ?? part)
      return { says: ['message', role, texts], calls: [], results: [] }
    }
    default: {
      const { id: _, status: __, ...rest } = item
      return { says: rest, calls: [], results: [] }
    }
  }
}

export function geminiSaid(content: Fields): Said {
  const calls: string[] = []
  const results: string[] = []
  const says = objectsOf(content['parts']).flatMap((part): unknown[] => {
    const { thoughtSignature: _, ...said } = part
    if (said['thought'] === true) return []
    const call = fieldsOf(said['functionCall'])
    if (call) {
      calls.push(textOf(call['id']) ?? '')
      return [['call', call['name'], call['args']]]
    }
    const response = fieldsOf(said['functionResponse'])
    if (response) {
      results.push(textOf(response['id']) ?? textOf(response['name']) ?? '')
      return [['result', response['name'], response['response']]]
    }
    return [said['text'] === undefined ? said : ['text', said['text']]]
  })
  return { says: [content['role'] ?? 'user', says], calls, results }
}

/**
 * Instructions without what changes from request to request: marks of the cache, and the line by
 * which Claude Code bills, whose `cch` is another each time.
 */
export function instructionsSaid(system: unknown): unknown {
  if (typeof system === 'string') return [system]
  const parts = fieldsOf(system)?.['parts']
  return listOf(parts ?? system).flatMap((block): unknown[] => {
    const text = textOf(fieldsOf(block)?.['text'])
    if (text === undefined) return [block]
    return text.startsWith('x-anthropic-billing-header:') ? [] : [text]
  })
}
