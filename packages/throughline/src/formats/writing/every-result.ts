import { abortedResult } from '../../compaction/render.ts'
import { partsOf, type ToolCallPart, type ToolMessage } from '../../log/message.ts'
import type { WrittenMessage } from './format-writer.ts'

/**
 * The messages with a result for the calls of the last step too: whoever resumes a file starts
 * anew, and nobody answers them any more.
 */
export function withEveryResult(messages: readonly WrittenMessage[]): WrittenMessage[] {
  const open = openCalls(messages)
  if (open.length === 0) return [...messages]
  const message: ToolMessage = {
    role: 'tool',
    content: open.map(({ toolCallId, toolName }) => ({
      type: 'tool-result',
      toolCallId,
      toolName,
      output: { type: 'error-text', value: abortedResult },
    })),
  }
  return [...messages, { message, origin: 'synthetic', at: messages.at(-1)?.at ?? 0 }]
}

/** The calls of the last step that have no result yet. */
function openCalls(messages: readonly WrittenMessage[]): ToolCallPart[] {
  const open = new Map<string, ToolCallPart>()
  for (const { message } of messages) {
    if (message.role !== 'tool') open.clear()
    for (const part of partsOf(message)) {
      if (part.type === 'tool-call' && !part.providerExecuted) open.set(part.toolCallId, part)
      if (part.type === 'tool-result') open.delete(part.toolCallId)
    }
  }
  return [...open.values()]
}
