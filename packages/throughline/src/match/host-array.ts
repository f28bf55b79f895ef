import { messageKeys, saysTheSame, type PartKey } from './message-keys.ts'
import { sameBeginning } from './prefix.ts'
import type { Message } from '../log/message.ts'

/** A part in a host's array. */
export interface HostPart extends PartKey {
  /** The message that it belongs to. */
  at: number
}

/** The array that a host passed last, by the keys of its messages. */
export interface HostArray {
  keys: (readonly PartKey[])[]
  parts: HostPart[]
}

/**
 * The parts of a host's messages, in order. If the array only grew since the last one, or holds
 * copies of its messages, the result is the same array of parts, extended.
 */
export function hostParts(messages: readonly Message[], host: HostArray): readonly HostPart[] {
  const keys = messages.map(messageKeys)
  const same = sameBeginning(keys, host.keys, saysTheSame)
  if (same < host.keys.length) host.parts = host.parts.filter(({ at }) => at < same)
  for (let at = same; at < keys.length; at++) {
    for (const key of keys[at] ?? []) host.parts.push({ ...key, at })
  }
  host.keys = keys
  return host.parts
}
