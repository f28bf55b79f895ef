import { MessageConversionError } from '../../wires/errors.ts'
import { sameBeginning } from '../../match/prefix.ts'
import { partsOf, type Message } from '../../log/message.ts'

/**
 * Reports a result whose call is missing: an API would reject it, and to us it would be the result
 * of nothing. Messages that the last list began with are not read again.
 * @throws MessageConversionError
 */
export function callChecker(): (messages: readonly Message[]) => void {
  const checked: Message[] = []
  /** Each call, and the first message that makes it. */
  const called = new Map<string, number>()
  function forget(from: number): void {
    if (from === checked.length) return
    checked.length = from
    for (const [id, index] of called) if (index >= from) called.delete(id)
  }
  return (messages) => {
    const same = sameBeginning(messages, checked)
    forget(same)
    for (let index = same; index < messages.length; index++) {
      const message = messages[index] as Message
      checked.push(message)
      for (const part of partsOf(message)) {
        if (part.type !== 'tool-call' && part.type !== 'tool-result') continue
        if (called.has(part.toolCallId)) continue
        if (part.type === 'tool-call') {
          called.set(part.toolCallId, index)
          continue
        }
        forget(index)
        throw new MessageConversionError({
          place: `messages, message ${index + 1}`,
          problem: `the call ${JSON.stringify(part.toolCallId)} of this result does not come before it: pass the whole conversation`,
        })
      }
    }
  }
}
