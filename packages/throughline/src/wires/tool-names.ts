import { partsOf, type Message } from '../log/message.ts'
import type { Pair } from './wire.ts'

/** The names of the tools that were called, by call. */
export interface ToolNames {
  get: (toolCallId: string) => string | undefined
  set: (toolCallId: string, toolName: string) => void
}

/** If a requested call was not set, the earlier messages are searched from the end. */
export function toolNames(before: readonly Pair<unknown>[]): ToolNames {
  const names = new Map<string, string>()
  return {
    get: (toolCallId) => names.get(toolCallId) ?? nameIn(before, toolCallId),
    set: (toolCallId, toolName) => {
      names.set(toolCallId, toolName)
    },
  }
}

/** Records the names of the calls in a message. */
export function addNames(names: ToolNames, message: Message): void {
  for (const part of partsOf(message)) {
    if (part.type === 'tool-call') names.set(part.toolCallId, part.toolName)
  }
}

function nameIn(pairs: readonly Pair<unknown>[], toolCallId: string): string | undefined {
  for (let index = pairs.length - 1; index >= 0; index--) {
    for (const { role, content } of pairs[index]?.messages ?? []) {
      if (role !== 'assistant' || typeof content === 'string') continue
      for (const part of content) {
        if (part.type === 'tool-call' && part.toolCallId === toolCallId) return part.toolName
      }
    }
  }
  return undefined
}
