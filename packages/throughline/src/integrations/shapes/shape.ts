import { markWritten } from '../../compaction/render/continuation-mark.ts'
import type { Message } from '../../log/message.ts'

/** Messages of an API that belong together, and what they are to us. */
export interface Pair<Native> {
  natives: readonly Native[]
  messages: readonly Message[]
}

/** How the messages of an API become ours and back again, with nothing lost on the way. */
export interface Shape<Native> {
  /**
   * `before` is what stands before these natives, as it was read: calls whose results they are.
   * @throws MessageConversionError
   */
  read: (natives: readonly Native[], before?: readonly Pair<Native>[]) => Pair<Native>[]
  /** The fields that `read` looks at, where a native is more than plain data: the same list each time. */
  fieldsRead?: (native: Native) => readonly string[]
  /** @throws MessageConversionError */
  write: (messages: readonly Message[]) => Pair<Native>[]
}

/** All natives of some pairs, in their order. */
export function nativesIn<Native>(pairs: readonly Pair<Native>[]): Native[] {
  const all: Native[] = []
  for (const { natives } of pairs) for (const native of natives) all.push(native)
  return all
}

/** All natives of pairs that were just made; what a compaction added to set the agent going is marked. */
export function markedNativesIn<Native extends object>(pairs: readonly Pair<Native>[]): Native[] {
  for (const { natives, messages } of pairs) {
    const last = natives.at(-1)
    if (last) markWritten(last, messages)
  }
  return nativesIn(pairs)
}

/** How many natives some pairs have. */
export function countNatives(pairs: readonly Pair<unknown>[]): number {
  return pairs.reduce((sum, { natives }) => sum + natives.length, 0)
}

/** All our messages of some pairs, in their order. */
export function messagesIn<Native>(pairs: readonly Pair<Native>[]): Message[] {
  const all: Message[] = []
  for (const { messages } of pairs) for (const message of messages) all.push(message)
  return all
}
