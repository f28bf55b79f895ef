import {
  isAsRead,
  readMessage,
  saysTheSame,
  type PartKey,
  type ReadMessage,
} from './message-keys.ts'
import { sameBeginning } from './prefix.ts'
import type { Message } from '../log/message.ts'

/** A part in a host's array. */
export interface HostPart extends PartKey {
  /** The message that it belongs to. */
  at: number
}

export interface HostArray {
  read: ReadMessage[]
  parts: HostPart[]
  last?: readonly Message[]
}

const compared = new WeakMap<readonly Message[], { earlier: readonly Message[]; same: number }>()

/**
 * Notes that the first messages of an array were just compared with those of an earlier one, and are
 * the same, unchanged: where a host passes the two in this order, they are not compared again.
 */
export function noteSameBeginning(
  messages: readonly Message[],
  earlier: readonly Message[],
  same: number,
): void {
  compared.set(messages, { earlier, same })
}

/**
 * The parts of a host's messages, in order. If the array only grew since the last one, or holds
 * copies of its messages, the result is the same array of parts, extended.
 */
export function hostParts(messages: readonly Message[], host: HostArray): readonly HostPart[] {
  const known = compared.get(messages)
  let from = known && known.earlier === host.last ? known.same : 0
  const most = Math.min(messages.length, host.read.length)
  while (from < most && isAsRead(messages[from] as Message, host.read[from] as ReadMessage)) from++
  host.last = messages
  const before = host.read.splice(from)
  for (let at = from; at < messages.length; at++)
    host.read.push(readMessage(messages[at] as Message))
  const says = (one: ReadMessage, other: ReadMessage) => saysTheSame(one.keys, other.keys)
  const same = from + sameBeginning(host.read.slice(from), before, says)
  if (same < from + before.length) host.parts = host.parts.filter(({ at }) => at < same)
  for (let at = same; at < messages.length; at++) {
    for (const key of host.read[at]?.keys ?? []) host.parts.push({ ...key, at })
  }
  return host.parts
}
