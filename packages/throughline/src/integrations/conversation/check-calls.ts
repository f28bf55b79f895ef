import { MessageConversionError } from '../../wires/errors.ts'
import type { Message } from '../../log/message.ts'

/** What was checked last: messages that a conversation begins with again are not looked at again. */
export interface CheckedCalls {
  messages: readonly Message[]
  called: Set<string>
}

export function nothingChecked(): CheckedCalls {
  return { messages: [], called: new Set() }
}

/**
 * Reports a result whose call is missing: an API would reject it, and to us it would be the result
 * of nothing.
 * @throws MessageConversionError
 */
export function checkCalls(
  messages: readonly Message[],
  name: string,
  before: CheckedCalls = nothingChecked(),
): CheckedCalls {
  const goesOn =
    before.messages.length <= messages.length &&
    before.messages.every((message, index) => message === messages[index])
  const called = goesOn ? before.called : new Set<string>()
  // Kept apart until all is well: who is refused may come again with other messages.
  const added = new Set<string>()
  for (let index = goesOn ? before.messages.length : 0; index < messages.length; index++) {
    const { content } = messages[index] as Message
    if (typeof content === 'string') continue
    for (const part of content) {
      if (part.type === 'tool-call') added.add(part.toolCallId)
      if (part.type !== 'tool-result') continue
      if (called.has(part.toolCallId) || added.has(part.toolCallId)) continue
      throw new MessageConversionError({
        place: `${name}, message ${index + 1}`,
        problem: `the call ${JSON.stringify(part.toolCallId)} of this result does not come before it: pass the whole conversation`,
      })
    }
  }
  for (const id of added) called.add(id)
  return { messages, called }
}
