import { MessageConversionError } from '../../wires/errors.ts'
import { partsOf, type Message } from '../../log/message.ts'

/**
 * Reports a result whose call is missing: an API would reject it, and to us it would be the result
 * of nothing.
 * @throws MessageConversionError
 */
export function checkCalls(messages: readonly Message[], name: string): void {
  const called = new Set<string>()
  for (const [index, message] of messages.entries()) {
    for (const part of partsOf(message)) {
      if (part.type === 'tool-call') called.add(part.toolCallId)
      if (part.type !== 'tool-result' || called.has(part.toolCallId)) continue
      throw new MessageConversionError({
        place: `${name}, message ${index + 1}`,
        problem: `the call ${JSON.stringify(part.toolCallId)} of this result does not come before it: pass the whole conversation`,
      })
    }
  }
}
