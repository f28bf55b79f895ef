import { MessageConversionError } from '../../wires/errors.ts'
import type { Message } from '../../log/message.ts'

/** What was checked last: messages that a conversation begins with again are not looked at again. */
export interface CheckedCalls {
  messages: readonly Message[]
  /** Each call, and the first message that makes it. */
  called: Map<string, number>
}

export function nothingChecked(): CheckedCalls {
  return { messages: [], called: new Map() }
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
  const { called } = before
  const same = sameLength(messages, before.messages)
  // Kept apart until all is well: who is refused may come again with other messages.
  const added = new Map<string, number>()
  for (let index = same; index < messages.length; index++) {
    const { content } = messages[index] as Message
    if (typeof content === 'string') continue
    for (const part of content) {
      if (part.type !== 'tool-call' && part.type !== 'tool-result') continue
      const { toolCallId } = part
      const isCalled = (called.get(toolCallId) ?? same) < same || added.has(toolCallId)
      if (isCalled) continue
      if (part.type === 'tool-call') added.set(toolCallId, index)
      else {
        throw new MessageConversionError({
          place: `${name}, message ${index + 1}`,
          problem: `the call ${JSON.stringify(toolCallId)} of this result does not come before it: pass the whole conversation`,
        })
      }
    }
  }
  for (let index = same; index < before.messages.length; index++) {
    for (const id of callsIn(before.messages[index] as Message)) {
      if ((called.get(id) ?? 0) >= same) called.delete(id)
    }
  }
  for (const [id, index] of added) called.set(id, index)
  return { messages, called }
}

function sameLength(messages: readonly Message[], others: readonly Message[]): number {
  const most = Math.min(messages.length, others.length)
  let same = 0
  while (same < most && messages[same] === others[same]) same += 1
  return same
}

function callsIn({ content }: Message): string[] {
  if (typeof content === 'string') return []
  return content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
}
