import { partsOf, type Message, type Part } from '../../log/message.ts'
import type { WrittenMessage } from './format-writer.ts'

/**
 * The messages with call ids that every provider takes (letters, digits, `_` and `-`, at most 40
 * of them), each used by one call alone. Clients send the ids of a file as they are.
 */
export function withFreshCallIds(messages: readonly WrittenMessage[]): WrittenMessage[] {
  const used = new Map<string, number>()
  // The newest call with an id is the one that a result behind it answers.
  const current = new Map<string, string>()
  return messages.map((written) => {
    const content = partsOf(written.message).map((part) => renamed(part, current, used))
    if (typeof written.message.content === 'string') return written
    return { ...written, message: { ...written.message, content } as Message }
  })
}

function renamed(part: Part, current: Map<string, string>, used: Map<string, number>): Part {
  if (part.type === 'tool-call') {
    const id = freshId(part.toolCallId, used)
    current.set(part.toolCallId, id)
    return { ...part, toolCallId: id }
  }
  if (part.type === 'tool-result') {
    return { ...part, toolCallId: current.get(part.toolCallId) ?? freshId(part.toolCallId, used) }
  }
  return part
}

const longest = 40

function freshId(id: string, used: Map<string, number>): string {
  const legal = id.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, longest) || 'call'
  // From the last number on, so that many calls with one id cost no more than others.
  let number = used.get(legal) ?? 0
  let fresh = legal
  do {
    number += 1
    if (number > 1) fresh = `${legal.slice(0, longest - `_${number}`.length)}_${number}`
  } while (used.has(fresh))
  used.set(legal, number)
  used.set(fresh, 1)
  return fresh
}
