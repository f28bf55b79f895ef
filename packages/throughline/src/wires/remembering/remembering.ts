import { countNatives, messagesIn } from '../wire.ts'
import { knownNatives } from './known-natives.ts'
import type { Message } from '../../log/message.ts'
import type { Pair, Wire } from '../wire.ts'

/** A wire that recognizes what it has read and written. */
export interface RememberingWire<Native> extends Pick<Wire<Native>, 'read' | 'write'> {
  /** Records that these natives represent these messages from now on. */
  remember: (pair: Pair<Native>) => Pair<Native>
  /** The same natives with other messages that say the same: these represent them from now on. */
  restate: (pair: Pair<Native>, messages: readonly Message[]) => Pair<Native>
  /**
   * Reads natives that may begin like the last ones read: objects that are the same and unchanged,
   * at any depth, are compared and not read again.
   */
  readOn: (natives: readonly Native[], last: readonly Pair<Native>[]) => Pair<Native>[]
}

/**
 * A wire that remembers, and is always strict: unchanged messages come back as the same objects,
 * and are recognized when they come in again.
 */
export function remembering<Native extends object>(wire: Wire<Native>): RememberingWire<Native> {
  const known = knownNatives(wire)
  /** By a message, or by the first of its parts: a copy of a message has the same parts. */
  const byOurs = new WeakMap<object, Pair<Native>>()

  function keep(pair: Pair<Native>, said: readonly Message[]): Pair<Native> {
    known.keep(pair, said)
    return keepOurs(pair)
  }

  function keepOurs(pair: Pair<Native>): Pair<Native> {
    const [message] = pair.messages
    if (message) for (const key of keysOf(message)) byOurs.set(key, pair)
    return pair
  }

  function remember(pair: Pair<Native>): Pair<Native> {
    return keep(pair, messagesIn(wire.read(pair.natives)))
  }

  function read(natives: readonly Native[], before: readonly Pair<Native>[] = []): Pair<Native>[] {
    const fresh = wire.read(natives, before)
    const pairs: Pair<Native>[] = []
    for (let index = 0; index < fresh.length;) {
      const found = known.at(fresh, index)
      const pair = fresh[index] as Pair<Native>
      pairs.push(found?.pair ?? keep(pair, pair.messages))
      index += found?.length ?? 1
    }
    return pairs
  }

  function pairAt(messages: readonly Message[], index: number): Pair<Native> | undefined {
    for (const key of keysOf(messages[index] as Message)) {
      const pair = byOurs.get(key)
      if (pair?.messages.every((one, offset) => isUnchanged(messages[index + offset], one))) {
        return pair
      }
    }
    return undefined
  }

  return {
    remember,
    restate(pair, messages) {
      const restated = { natives: pair.natives, messages }
      return known.restate(pair, restated) ? keepOurs(restated) : remember(restated)
    },
    read,
    readOn(natives, last) {
      const before = known.beginning(natives, last)
      const pairs = read(natives.slice(countNatives(before)), before)
      return [...before, ...pairs]
    },
    write(messages) {
      const pairs: Pair<Native>[] = []
      let changed: Message[] = []
      const writeChanged = (): void => {
        for (const pair of wire.write(changed)) pairs.push(remember(pair))
        changed = []
      }
      for (let index = 0; index < messages.length;) {
        const pair = pairAt(messages, index)
        if (!pair) {
          changed.push(messages[index++] as Message)
          continue
        }
        writeChanged()
        pairs.push(pair)
        index += pair.messages.length
      }
      writeChanged()
      return pairs
    },
  }
}

function keysOf(message: Message): object[] {
  const first = typeof message.content === 'string' ? undefined : message.content[0]
  return first ? [message, first] : [message]
}

function isUnchanged(message: Message | undefined, before: Message): boolean {
  if (message === before) return true
  if (!message || message.role !== before.role) return false
  const { content } = message
  return (
    typeof content !== 'string' &&
    content.length === before.content.length &&
    content.every((part, index) => part === before.content[index])
  )
}
