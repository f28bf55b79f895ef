import { partsOf, type Message, type Part } from '../../log/message.ts'
import type { WrittenMessage } from './format-writer.ts'

/**
 * The messages with call ids that every provider accepts (letters, digits, `_` and `-`, at most 40
 * characters), each used by only one call. Clients send the ids in a file unchanged.
 */
export function withFreshCallIds(messages: readonly WrittenMessage[]): WrittenMessage[] {
  const used: Used = { counts: new Map(), roots: new Set() }
  // A result answers the newest call before it with the same id.
  const current = new Map<string, string>()
  return messages.map((written) => {
    const content = partsOf(written.message).map((part) => renamed(part, current, used))
    if (typeof written.message.content === 'string') return written
    return { ...written, message: { ...written.message, content } as Message }
  })
}

function renamed(part: Part, current: Map<string, string>, used: Used): Part {
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

interface Used {
  /** How often each id was requested. */
  counts: Map<string, number>
  /** For ids such as `call_2`: the text before the number. */
  roots: Set<string>
}

const longest = 40

function freshId(id: string, used: Used): string {
  const legal = id.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, longest) || 'call'
  // Continues from the last number, so that many calls with one id cost no more than others.
  let number = used.counts.get(legal) ?? 0
  let fresh = legal
  do {
    number += 1
    if (number > 1) fresh = `${legal.slice(0, longest - `-${number}`.length)}-${number}`
  } while (isTaken(fresh, used))
  used.counts.set(legal, number)
  used.counts.set(fresh, Math.max(1, used.counts.get(fresh) ?? 0))
  if (rootOf(fresh) !== fresh) used.roots.add(rootOf(fresh))
  return fresh
}

/** Claude Code treats `call_2` as another form of `call` and loses the result of one of them. */
function isTaken(id: string, { counts, roots }: Used): boolean {
  return counts.has(id) || roots.has(id) || (rootOf(id) !== id && counts.has(rootOf(id)))
}

function rootOf(id: string): string {
  return id.replace(/_\d+$/, '')
}
