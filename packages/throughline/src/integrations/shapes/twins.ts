import { isSame } from './same.ts'
import { messagesIn } from './shape.ts'
import { partsOf, type Message } from '../../log/message.ts'
import type { Pair, Shape } from './shape.ts'

/** A shape that knows again what it has read and written. */
export interface RememberingShape<Native> extends Shape<Native> {
  /** Takes these natives for what stands for these messages from now on. */
  remember: (pair: Pair<Native>) => Pair<Native>
}

interface Known<Native> {
  pair: Pair<Native>
  /** What the natives said when they were remembered: a caller may change them in place. */
  said: readonly Message[]
}

/**
 * A shape that remembers: what has not changed on the way comes back as the very objects that were
 * given, and what was given back is known again when it comes.
 */
export function remembering<Native extends object>(shape: Shape<Native>): RememberingShape<Native> {
  const byNative = new WeakMap<Native, Known<Native>>()
  /** By a message, or by the first of its parts: a copy of a message has the same parts. */
  const byOurs = new WeakMap<object, Pair<Native>>()

  function keep(pair: Pair<Native>, said: readonly Message[]): Pair<Native> {
    const [native] = pair.natives
    const [message] = pair.messages
    if (native) byNative.set(native, { pair, said })
    if (message) for (const key of keysOf(message)) byOurs.set(key, pair)
    return pair
  }

  function remember(pair: Pair<Native>): Pair<Native> {
    return keep(pair, messagesIn(shape.read(pair.natives)))
  }

  /** What was remembered of the natives that begin with this pair, and how many pairs they are. */
  function knownAt(fresh: readonly Pair<Native>[], index: number) {
    const native = fresh[index]?.natives[0]
    const known = native && byNative.get(native)
    if (!known) return undefined
    let length = 0
    const natives: Native[] = []
    while (natives.length < known.pair.natives.length && fresh[index + length]) {
      natives.push(...(fresh[index + length++]?.natives ?? []))
    }
    const messages = messagesIn(fresh.slice(index, index + length))
    const isKnown = isEach(natives, known.pair.natives) && isSaidBy(messages, known.said)
    return isKnown ? { pair: known.pair, length } : undefined
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
    read(natives) {
      const fresh = shape.read(natives)
      const pairs: Pair<Native>[] = []
      for (let index = 0; index < fresh.length;) {
        const known = knownAt(fresh, index)
        const pair = fresh[index] as Pair<Native>
        pairs.push(known?.pair ?? keep(pair, pair.messages))
        index += known?.length ?? 1
      }
      return pairs
    },
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

function isEach<Native>(natives: readonly Native[], others: readonly Native[]): boolean {
  return (
    natives.length === others.length && natives.every((native, index) => native === others[index])
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
  return (
    typeof content !== 'string' &&
    content.length === before.content.length &&
    content.every((part, index) => part === before.content[index])
  )
}
