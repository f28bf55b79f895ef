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

/** The array that a host passed last, as its messages were read. */
export interface HostArray {
  read: ReadMessage[]
  parts: HostPart[]
}

/**
 * The parts of a host's messages, in order. If the array only grew since the last one, or holds
 * copies of its messages, the result is the same array of parts, extended.
 */
export function hostParts(messages: readonly Message[], host: HostArray): readonly HostPart[] {
  const from = sameBeginning(messages, host.read, isAsRead)
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
