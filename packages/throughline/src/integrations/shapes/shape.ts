import type { Message } from '../../log/message.ts'

/** Messages of an API that belong together, and what they are to us. */
export interface Pair<Native> {
  natives: readonly Native[]
  messages: readonly Message[]
}

/** How the messages of an API become ours and back again, with nothing lost on the way. */
export interface Shape<Native> {
  /** @throws MessageConversionError */
  read: (natives: readonly Native[]) => Pair<Native>[]
  /** @throws MessageConversionError */
  write: (messages: readonly Message[]) => Pair<Native>[]
}

/** All natives of some pairs, in their order. */
export function nativesIn<Native>(pairs: readonly Pair<Native>[]): Native[] {
  return pairs.flatMap(({ natives }) => natives)
}

/** All our messages of some pairs, in their order. */
export function messagesIn<Native>(pairs: readonly Pair<Native>[]): Message[] {
  return pairs.flatMap(({ messages }) => messages)
}
