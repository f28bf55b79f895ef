import { MessageConversionError } from '../../wires/errors.ts'
import type { Message } from '../../log/message.ts'

/**
 * Says where a result stands whose call does not: an API would refuse it, and to us it would be
 * the result of nothing.
 * @throws MessageConversionError
 */
export function checkCalls(messages: readonly Message[], name: string): void {
  const called = new Set<string>()
  for (let index = 0; index < messages.length; index++) {
    const { content } = messages[index] as Message
    if (typeof content === 'string') continue
    for (const part of content) {
      if (part.type === 'tool-call') called.add(part.toolCallId)
      if (part.type !== 'tool-result' || called.has(part.toolCallId)) continue
      throw new MessageConversionError({
        place: `${name}, message ${index + 1}`,
        problem: `the call ${JSON.stringify(part.toolCallId)}, of which this is the result, does not stand before it: give the whole conversation`,
      })
    }
  }
}
