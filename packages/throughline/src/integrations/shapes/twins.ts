import { isSame } from './same.ts'
import { partsOf, type Message } from '../../log/message.ts'
import type { Pair, Shape } from './shape.ts'

/** A shape that knows again what it has read and written. */
export interface RememberingShape<Native> extends Shape<Native> {
  /** Takes these natives for what stands for these messages from now on. */
  remember: (pair: Pair<Native>) => Pair<Native>
}

/**
 * A shape that remembers: what has not changed on the way comes back as the very objects that were
 * given, and what was given back is known again when it comes.
 */
export function remembering<Native extends object>(shape: Shape<Native>): RememberingShape<Native> {
  const byNative = new WeakMap<Native, Pair<Native>>()
  /** By a message, or by the first of its parts: a copy of a message has the same parts. */
  const byOurs = new WeakMap<object, Pair<Native>>()

  function remember(pair: Pair<Native>): Pair<Native> {
    const [native] = pair.natives
    const [message] = pair.messages
    if (native) byNative.set(native, pair)
    if (message) for (const key of keysOf(message)) byOurs.set(key, pair)
    return pair
  }

  function pairAt(messages: readonly Message[], index: number): Pair<Native> | undefined {
    const message = messages[index] as Message
    for (const key of keysOf(message)) {
      const pair = byOurs.get(key)
      if (pair?.messages.every((one, offset) => isUnchanged(messages[index + offset], one))) {
        return pair
      }
    }
    return undefined
  }

  return {
    remember,
    read: (natives) =>
      shape.read(natives).map((pair) => {
        const known = byNative.get(pair.natives[0] as Native)
        return known && isSamePair(known, pair) ? known : remember(pair)
      }),
    write(messages) {
      const pairs: Pair<Native>[] = []
      let changed: Message[] = []
      const writeChanged = (): void => {
        for (const pair of shape.write(changed)) pairs.push(remember(pair))
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

function isSamePair<Native>(known: Pair<Native>, fresh: Pair<Native>): boolean {
  return (
    known.natives.length === fresh.natives.length &&
    known.natives.every((native, index) => native === fresh.natives[index]) &&
    isSaidBy(known.messages, fresh.messages)
  )
}

/** Whether two lists of our messages say the same. */
export function isSaidBy(messages: readonly Message[], others: readonly Message[]): boolean {
  return (
    messages.length === others.length &&
    messages.every((message, index) => isSameMessage(message, others[index] as Message))
  )
}

/** A text is the same alone and as a part. */
function isSameMessage(one: Message, other: Message): boolean {
  if (typeof one.content === typeof other.content) return isSame(one, other)
  const { content: _, ...rest } = one
  const { content: __, ...otherRest } = other
  return isSame(rest, otherRest) && isSame(partsOf(one), partsOf(other))
}

function isUnchanged(message: Message | undefined, before: Message): boolean {
  if (message === before) return true
  if (!message || message.role !== before.role) return false
  const { content } = message
  if (typeof content === 'string') return content === before.content
  return (
    content.length === before.content.length &&
    content.every((part, index) => part === before.content[index])
  )
}
