import { fieldsOf, jsonOf } from '../../json/fields.ts'
import type { AiSdkMessage } from '../../wires/ai-sdk/message.ts'

const keys = new WeakMap<AiSdkMessage, string>()

/** What a message says, without what a provider or the framework adds to it. */
function keyOf(message: AiSdkMessage): string {
  let key = keys.get(message)
  if (key === undefined) keys.set(message, (key = madeKey(message)))
  return key
}

function madeKey(message: AiSdkMessage): string {
  const { role, content } = fieldsOf(message) ?? {}
  if (typeof content === 'string') return JSON.stringify([role, [content]])
  const parts = (Array.isArray(content) ? content : []).flatMap((part: unknown) => {
    const { type, text, toolCallId } = fieldsOf(part) ?? {}
    if (type === 'reasoning') return []
    return [type === 'text' ? text : (toolCallId ?? jsonOf(part))]
  })
  return JSON.stringify([role, parts])
}

/**
 * The whole conversation, where a memory gives only its newest messages: what is known before them
 * stays. A memory that gives no history at all gives what is new.
 */
export function wholeConversation<Message extends AiSdkMessage>(
  known: readonly Message[],
  given: readonly Message[],
): readonly Message[] {
  const [first] = given
  const [oldest] = known
  if (!first || !oldest || keyOf(first) === keyOf(oldest)) return given
  for (let start = known.length - 1; start > 0; start--) {
    if (continues(known, given, start)) return [...known.slice(0, start), ...given]
  }
  return [...known, ...given]
}

/** Whether what is given says again all that is known from here on. */
function continues(
  known: readonly AiSdkMessage[],
  given: readonly AiSdkMessage[],
  start: number,
): boolean {
  if (known.length - start > given.length) return false
  return known
    .slice(start)
    .every((message, index) => keyOf(message) === keyOf(given[index] as AiSdkMessage))
}
