import type { AssistantModelMessage, ToolModelMessage } from 'ai'
import { isNotice } from './notices.ts'
import type { AssistantMessage, ToolMessage } from '../../log/message.ts'

/**
 * The SDK's answer as it goes into the log: without the fields that it sets to `undefined`, so
 * that a log reads back the same from a store that keeps JSON.
 */
export function toLogMessages(
  messages: readonly (AssistantModelMessage | ToolModelMessage)[],
): (AssistantMessage | ToolMessage)[] {
  return messages.map((message): AssistantMessage | ToolMessage => {
    if (message.role === 'tool') {
      return defined({ ...message, content: message.content.map(defined) })
    }
    const { content } = message
    return defined({
      ...message,
      content:
        typeof content === 'string'
          ? content
          : content.filter((part) => !isNotice(part)).map(defined),
    })
  })
}

function defined<Value extends object>(value: Value): Value {
  const entries = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(entries) as Value
}
