import { callsIn, resultsIn, textIn } from './neutral.ts'
import type { Content, Part } from '@google/genai'
import type { Message, TextPart, ToolCallPart } from 'throughline'

export function toGemini(messages: readonly Message[]): Content[] {
  return messages.map((message): Content => {
    const text = textIn(message)
    const said: Part[] = text === '' ? [] : [{ text }]
    if (message.role === 'tool') {
      const parts = resultsIn(message).map(({ id, name, text }) => {
        return { functionResponse: { id, name, response: { output: text } } }
      })
      return { role: 'user', parts }
    }
    if (message.role !== 'assistant') return { role: 'user', parts: [{ text }] }
    const calls = callsIn(message).map(({ id, name, input }) => {
      return { functionCall: { id, name, args: input } }
    })
    return { role: 'model', parts: [...said, ...calls] }
  })
}

export function fromGemini(contents: readonly Content[]): Message[] {
  return contents.map(({ role, parts = [] }): Message => {
    const results = parts.flatMap(({ functionResponse }) => functionResponse ?? [])
    if (results.length > 0) {
      return {
        role: 'tool',
        content: results.map(({ id = '', name = '', response }) => {
          const value = String(response?.['output'] ?? JSON.stringify(response ?? {}))
          const output = { type: 'text' as const, value }
          return { type: 'tool-result', toolCallId: id, toolName: name, output }
        }),
      }
    }
    if (role !== 'model') return { role: 'user', content: textOf(parts) }
    return {
      role: 'assistant',
      content: parts.flatMap(({ text, functionCall }): (TextPart | ToolCallPart)[] => {
        if (functionCall) {
          const { id: toolCallId = '', name: toolName = '', args: input = {} } = functionCall
          return [{ type: 'tool-call' as const, toolCallId, toolName, input }]
        }
        return text === undefined ? [] : [{ type: 'text' as const, text }]
      }),
    }
  })
}

/** All text of a request, as the model reads it. */
export function textOfContents(contents: readonly Content[]): string {
  return contents
    .flatMap(({ parts = [] }) => parts)
    .map(({ text, functionCall, functionResponse }) => {
      if (functionCall) return JSON.stringify(functionCall.args ?? {})
      return functionResponse ? String(functionResponse.response?.['output'] ?? '') : (text ?? '')
    })
    .join('\n')
}

function textOf(parts: readonly Part[]): string {
  return parts.map(({ text }) => text ?? '').join('\n')
}
