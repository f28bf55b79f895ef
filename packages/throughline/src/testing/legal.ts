import { partsOf, type Message } from '../log/message.ts'

/**
 * What a provider would reject in these messages; empty if nothing. The calls of the newest step
 * may be open.
 */
export function illegalities(messages: readonly Message[]): string[] {
  const found: string[] = []
  let open = new Map<string, string>()
  messages.forEach((message, index) => {
    if (message.role === 'tool') {
      for (const part of message.content) {
        if (part.type !== 'tool-result') continue
        if (!open.delete(part.toolCallId)) {
          found.push(`message ${index}: result of ${part.toolCallId} without its call`)
        }
      }
      return
    }
    for (const [id, tool] of open)
      found.push(`message ${index}: call ${id} of ${tool} has no result`)
    open = new Map()
    if (message.role !== 'assistant') return
    if (partsOf(message).length === 0) found.push(`message ${index}: empty assistant message`)
    for (const part of partsOf(message)) {
      if (part.type === 'tool-call' && !part.providerExecuted) {
        if (open.has(part.toolCallId)) found.push(`message ${index}: two calls ${part.toolCallId}`)
        open.set(part.toolCallId, part.toolName)
      }
    }
  })
  return found
}
