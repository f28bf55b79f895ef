import { messageKeys } from './message-keys.ts'
import type { HostPart } from './match-view.ts'
import type { Message } from '../../log/message.ts'

interface Seen {
  message: Message
  content: Message['content']
  length: number
  /** How many parts there are up to the end of this message. */
  end: number
}

/** The parts of the array that a host last gave. */
export interface HostArray {
  seen: Seen[]
  parts: HostPart[]
}

/**
 * The parts of a host's messages, in order. Messages that the array began with the last time are
 * not looked into again; where it only grew, the parts are the same array, grown.
 */
export function hostParts(messages: readonly Message[], host: HostArray): readonly HostPart[] {
  let same = 0
  while (same < messages.length && isSeen(messages[same] as Message, host.seen[same])) same += 1
  if (same < host.seen.length) {
    host.parts = host.parts.slice(0, host.seen[same - 1]?.end ?? 0)
    host.seen = host.seen.slice(0, same)
  }
  for (let at = same; at < messages.length; at++) {
    const message = messages[at] as Message
    const { content } = message
    for (const { key, optional } of messageKeys(message)) host.parts.push({ key, optional, at })
    host.seen.push({ message, content, length: content.length, end: host.parts.length })
  }
  return host.parts
}

/** Messages are taken as immutable, but for a content that is another one or has grown. */
function isSeen(message: Message, seen: Seen | undefined): boolean {
  return (
    seen !== undefined &&
    message === seen.message &&
    message.content === seen.content &&
    message.content.length === seen.length
  )
}
