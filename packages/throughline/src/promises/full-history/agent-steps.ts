import { lines } from '../../testing/generate/agent.ts'
import type { AnthropicMessage } from '../../wires/anthropic/message.ts'
import type { Fields } from '../../json/fields.ts'
import type { Message } from '../../log/message.ts'

export const task = 'Read all the files, one after the other. Never edit main.ts.'

export const asked = { role: 'user' as const, content: task }

export const path = (number: number): string => `src/part-${number}.ts`
export const found = (number: number): string => lines(path(number), 800)
export const remark = (number: number): string => `I read ${path(number)} now.`
export function stepOf(number: number): Message[] {
  const toolCallId = `call-${number}`
  return [
    {
      role: 'assistant',
      content: [
        { type: 'text', text: remark(number) },
        { type: 'tool-call', toolCallId, toolName: 'read', input: { path: path(number) } },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId,
          toolName: 'read',
          output: { type: 'text', value: found(number) },
        },
      ],
    },
  ]
}

export function anthropicAnswer(number: number) {
  const use = { id: `call-${number}`, name: 'read', input: { path: path(number) } }
  return [{ type: 'text', text: remark(number) }, Object.assign({ type: 'tool_use' }, use)]
}

export function anthropicStep(number: number): AnthropicMessage[] {
  const result = { type: 'tool_result', tool_use_id: `call-${number}`, content: found(number) }
  return [
    { role: 'assistant', content: anthropicAnswer(number) },
    { role: 'user', content: [result] },
  ]
}

export function chatAnswer(number: number) {
  const input = JSON.stringify({ path: path(number) })
  return {
    role: 'assistant' as const,
    content: remark(number),
    tool_calls: [
      {
        id: `call-${number}`,
        type: 'function' as const,
        function: { name: 'read', arguments: input },
      },
    ],
  }
}

export function chatStep(number: number) {
  return [
    chatAnswer(number),
    { role: 'tool' as const, tool_call_id: `call-${number}`, content: found(number) },
  ]
}

export function responsesAnswer(number: number): Fields[] {
  const content = [{ type: 'output_text', text: remark(number), annotations: [] }]
  const input = JSON.stringify({ path: path(number) })
  return [
    { type: 'message', id: `msg-${number}`, role: 'assistant', status: 'completed', content },
    { type: 'function_call', call_id: `call-${number}`, name: 'read', arguments: input },
  ]
}

export function responsesStep(number: number): Fields[] {
  const output = { call_id: `call-${number}`, output: found(number) }
  return [...responsesAnswer(number), { type: 'function_call_output', ...output }]
}
