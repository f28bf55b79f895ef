import { textProblems, type Fields } from './texts.ts'

/**
 * What the Messages API rejects with 400 in a request's messages; empty if nothing. The strictest
 * reading of its documentation: alternating roles, the user first, the results of a reply's calls
 * first in the next message, nothing empty, only valid ids and names.
 */
export function anthropicProblems({ system, messages }: AnthropicBody): string[] {
  const problems = textProblems(messages)
  if (system !== undefined && system.trim() === '') problems.push('an empty system prompt')
  if (messages[0]?.role !== 'user') problems.push('the first is not the user’s')
  const used = new Set<string>()
  let awaited: string[] = []
  messages.forEach(({ role, content }, index) => {
    const say = (problem: string): number => problems.push(`message ${index}: ${problem}`)
    if (role !== 'user' && role !== 'assistant') say(`of the role ${role}`)
    if (role === messages[index - 1]?.role) say(`another of the ${role}`)
    if (content.length === 0) say('nothing in it')
    const results = content.filter(({ type }) => type === 'tool_result')
    const first = content.slice(0, results.length)
    if (first.some(({ type }) => type !== 'tool_result')) say('a result behind something else')
    const answered = results.map((block) => String(block['tool_use_id']))
    if (answered.toSorted().join() !== awaited.toSorted().join()) {
      say(`results of ${answered.join(', ')} and not of ${awaited.join(', ')}`)
    }
    awaited = content.flatMap((block) => (block.type === 'tool_use' ? [String(block['id'])] : []))
    if (role === 'user' && awaited.length > 0) say('a call of the user')
    for (const block of content) {
      for (const problem of blockProblems(block)) say(problem)
      if (block.type !== 'tool_use') continue
      if (used.has(String(block['id']))) say(`the id ${block['id']} again`)
      used.add(String(block['id']))
    }
  })
  if (awaited.length > 0) problems.push(`no results of ${awaited.join(', ')}`)
  return problems
}

export interface AnthropicBody {
  model?: string
  system?: string
  messages: readonly { role: string; content: readonly Block[] }[]
}

type Block = Fields & { type: string }

function blockProblems(block: Block): string[] {
  switch (block.type) {
    case 'text':
      return String(block['text']).trim() === '' ? ['a text of white space'] : []
    case 'image':
    case 'document':
      return sourceProblems(block.type, block['source'] as Fields)
    case 'tool_use': {
      const { id, name, input } = block
      if (!/^[\w-]{1,64}$/.test(String(id))) return [`the id ${id}`]
      if (!/^[\w-]{1,128}$/.test(String(name))) return [`the name ${name}`]
      return typeof input === 'object' && !Array.isArray(input) && input ? [] : ['no object']
    }
    case 'tool_result': {
      const { content } = block
      if (typeof content === 'string') return []
      const blocks = content as Block[]
      const other = blocks.filter(({ type }) => !['text', 'image', 'document'].includes(type))
      if (other.length > 0 || blocks.length === 0) return ['a result of other blocks, or of none']
      return blocks.flatMap(blockProblems)
    }
    default:
      return [`a block of the type ${block.type}`]
  }
}

const images = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

function sourceProblems(type: string, source: Fields): string[] {
  if (source['type'] === 'url') {
    return /^https?:/.test(String(source['url'])) ? [] : [`a source at ${source['url']}`]
  }
  const media = source['type'] === 'text' ? ['text/plain'] : ['application/pdf']
  const taken = type === 'image' ? images : media
  return taken.includes(String(source['media_type'])) ? [] : [`a medium ${source['media_type']}`]
}
