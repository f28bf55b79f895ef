import { countNatives, messagesIn } from '../wire.ts'
import { isSaidBy } from '../same.ts'
import type { Pair, Wire } from '../wire.ts'
import type { Message } from '../../log/message.ts'

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

/** What natives were read as, for as long as their content is unchanged. */
interface KnownNatives<Native> {
  /** Records that these natives represent these messages; `said` is what they read as. */
  keep: (pair: Pair<Native>, said: readonly Message[]) => void
  /** Whether a pair was known that has since been replaced by an equal one. */
  restate: (pair: Pair<Native>, restated: Pair<Native>) => boolean
  /**
   * The last-read pairs with which the natives still begin, without reading them again. The last
   * one is left out, because only what comes after a pair shows where it ends.
   */
  beginning: (natives: readonly Native[], last: readonly Pair<Native>[]) => Pair<Native>[]
  /** What is known about natives that begin with a pair just read, and how many pairs they are. */
  at: (
    fresh: readonly Pair<Native>[],
    index: number,
  ) => { pair: Pair<Native>; length: number } | undefined
}

interface Known<Native> {
  pair: Pair<Native>
  /**
   * The content of the natives when they were recorded, because a caller may change them in place.
   */
  said: readonly Message[]
  /** Their content when they were last read. */
  was: readonly Was[]
}

function knownNatives<Native extends object>({
  fieldsRead,
}: Pick<Wire<Native>, 'fieldsRead'>): KnownNatives<Native> {
  const byFirst = new WeakMap<Native, Known<Native>>()

  function asRead(natives: readonly Native[]): Was[] {
    return natives.map((native) =>
      fieldsRead ? fieldsAsTheyAre(native, fieldsRead(native)) : asItIs(native),
    )
  }

  function isAsRead(native: Native, was: Was): boolean {
    return fieldsRead ? areFieldsAsTheyWere(native, was) : isAsItWas(native, was)
  }

  /** The pair with as many natives as this one, if they are here and nobody has changed them. */
  function unchanged(
    natives: readonly Native[],
    start: number,
    { natives: before }: Pair<Native>,
  ): Pair<Native> | undefined {
    const native = natives[start]
    const known = native && byFirst.get(native)
    if (known?.pair.natives.length !== before.length) return undefined
    for (let index = 0; index < before.length; index++) {
      const one = natives[start + index]
      const isStill =
        one !== undefined &&
        one === before[index] &&
        one === known.pair.natives[index] &&
        isAsRead(one, known.was[index])
      if (!isStill) return undefined
    }
    return known.pair
  }

  return {
    keep(pair, said) {
      const [native] = pair.natives
      if (native) byFirst.set(native, { pair, said: copied(said), was: asRead(pair.natives) })
    },
    restate(pair, restated) {
      const [native] = pair.natives
      const known = native && byFirst.get(native)
      if (known?.pair !== pair) return false
      known.pair = restated
      return true
    },
    beginning(natives, last) {
      const pairs: Pair<Native>[] = []
      let start = 0
      for (const before of last) {
        const pair = unchanged(natives, start, before)
        if (!pair) break
        pairs.push(pair)
        start += pair.natives.length
      }
      return pairs.slice(0, -1)
    },
    at(fresh, index) {
      const native = fresh[index]?.natives[0]
      const known = native && byFirst.get(native)
      if (!known) return undefined
      const wanted = known.pair.natives.length
      let length = 0
      const natives: Native[] = []
      while (natives.length < wanted && fresh[index + length]) {
        natives.push(...(fresh[index + length++]?.natives ?? []))
      }
      const messages = messagesIn(fresh.slice(index, index + length))
      if (!isEach(natives, known.pair.natives) || !isSaidBy(messages, known.said)) return undefined
      known.was = asRead(natives)
      return { pair: known.pair, length }
    },
  }
}

function isEach<Native>(natives: readonly Native[], others: readonly Native[]): boolean {
  return (
    natives.length === others.length && natives.every((native, index) => native === others[index])
  )
}

/**
 * A copy that stays as it is when the original is changed, at any depth: what a call was given is
 * the very object that the caller has. Texts and bytes are not copied.
 */
function copied<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map((item: unknown) => copied(item)) as Value
  if (typeof value !== 'object' || value === null) return value
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, copied(field)]),
  ) as Value
}

/** The earlier content of plain data, for comparison: its keys, and the values under them. */
type Was = string | number | boolean | null | undefined | Parts

interface Parts {
  /** `undefined` for a list. */
  keys: readonly string[] | undefined
  values: readonly Was[]
}

/** Records plain data as it is now. Texts are not copied. */
function asItIs(value: unknown): Was {
  if (typeof value !== 'object' || value === null) return value as Was
  if (Array.isArray(value)) return { keys: undefined, values: value.map(asItIs) }
  const keys: string[] = []
  const values: Was[] = []
  for (const key in value) {
    keys.push(key)
    values.push(asItIs((value as Record<string, unknown>)[key]))
  }
  return { keys, values }
}

/** Records some fields of an object as they are now. */
function fieldsAsTheyAre(value: object, keys: readonly string[]): Was {
  return { keys, values: keys.map((key) => asItIs(Reflect.get(value, key))) }
}

/** Whether these fields of an object are unchanged. */
function areFieldsAsTheyWere(value: object, was: Was): boolean {
  if (typeof was !== 'object' || !was?.keys) return false
  const { keys, values } = was
  const fields = value as Record<string, unknown>
  for (let at = 0; at < keys.length; at++) {
    if (!isAsItWas(fields[keys[at] as string], values[at])) return false
  }
  return true
}

/**
 * Whether plain data is unchanged, whoever may have modified it in place, and at any depth. This
 * looks at each value and allocates nothing; a text that is still the same object is not read.
 */
function isAsItWas(value: unknown, was: Was): boolean {
  if (typeof was !== 'object' || was === null) return value === was
  if (typeof value !== 'object' || value === null) return false
  const { keys, values } = was
  if (Array.isArray(value)) {
    if (keys || value.length !== values.length) return false
    for (let at = 0; at < values.length; at++) if (!isAsItWas(value[at], values[at])) return false
    return true
  }
  if (!keys) return false
  let at = 0
  for (const key in value) {
    if (key !== keys[at]) return false
    if (!isAsItWas((value as Record<string, unknown>)[key], values[at])) return false
    at += 1
  }
  return at === keys.length
}
