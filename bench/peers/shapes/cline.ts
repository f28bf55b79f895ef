import { callsIn, resultsIn, textIn } from './neutral.ts'
import type { Message } from 'throughline'

/** A message as Cline has it: content blocks, as Anthropic has them. */
export interface ClineMessage {
  role: 'user' | 'assistant'
  content: string | ClineBlock[]
  [field: string]: unknown
}

interface ClineBlock {
  type: string
  text?: string
  id?: string
  name?: string
  input?: Record<string, unknown>
  tool_use_id?: string
  content?: string | { type: string; text?: string }[]
}

export function toCline(messages: readonly Message[]): ClineMessage[] {
  return messages.map((message): ClineMessage => {
    const text = textIn(message)
    const said = text === '' ? [] : [{ type: 'text', text }]
    if (message.role === 'tool') {
      const results = resultsIn(message).map(({ id, text }) => {
        return { type: 'tool_result', tool_use_id: id, content: text }
      })
      return { role: 'user', content: results }
    }
    if (message.role !== 'assistant') return { role: 'user', content: text }
    const calls = callsIn(message).map((call) => ({ type: 'tool_use', ...call }))
    return { role: 'assistant', content: [...said, ...calls] }
  })
}

export function fromCline(messages: readonly ClineMessage[]): Message[] {
  const names = new Map<string, string>()
  return messages.flatMap(({ role, content }): Message[] => {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    const said = blocks.filter(({ type }) => type === 'text').map(({ text = '' }) => text)
    if (role === 'assistant') {
      const calls = blocks.filter(({ type }) => type === 'tool_use')
      for (const { id = '', name = '' } of calls) names.set(id, name)
      return [
        {
          role,
          content: [
            ...said.map((text) => ({ type: 'text' as const, text })),
            ...calls.map(({ id: toolCallId = '', name: toolName = '', input }) => {
              return { type: 'tool-call' as const, toolCallId, toolName, input }
            }),
          ],
        },
      ]
    }
    const results = blocks.filter(({ type }) => type === 'tool_result')
    const tool: Message = {
      role: 'tool',
      content: results.map(({ tool_use_id: toolCallId = '', content = '' }) => {
        const output = { type: 'text' as const, value: textOf(content) }
        const toolName = names.get(toolCallId) ?? ''
        return { type: 'tool-result', toolCallId, toolName, output }
      }),
    }
    const user: Message = { role: 'user', content: said.join('\n') }
    return [...(results.length > 0 ? [tool] : []), ...(said.length > 0 ? [user] : [])]
  })
}

function textOf(content: NonNullable<ClineBlock['content']>): string {
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n')
}
