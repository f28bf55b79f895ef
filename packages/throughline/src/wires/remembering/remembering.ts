import { isEach } from '../../match/prefix.ts'
import { messagesIn, type Pair, type Wire } from '../wire.ts'
import { isSaidBy } from '../../match/same.ts'
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

  function keep(pair: Pair<Native>, said?: readonly Message[]): Pair<Native> {
    known.keep(pair, said)
    return keepOurs(pair)
  }

  function keepOurs(pair: Pair<Native>): Pair<Native> {
    const [message] = pair.messages
    if (message) for (const key of keysOf(message)) byOurs.set(key, pair)
    return pair
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
    remember: keep,
    restate(pair, messages) {
      const restated = { natives: pair.natives, messages }
      return known.restate(pair, restated) ? keepOurs(restated) : keep(restated)
    },
    read,
    readOn(natives, last) {
      const { pairs, length } = known.beginning(natives, last)
      for (const pair of read(natives.slice(length), pairs)) pairs.push(pair)
      return pairs
    },
    write(messages) {
      const pairs: Pair<Native>[] = []
      let changed: Message[] = []
      const writeChanged = (): void => {
        for (const pair of wire.write(changed)) pairs.push(keep(pair))
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
    typeof before.content !== 'string' &&
    isEach(content, before.content)
  )
}

/** What natives were read as, for as long as their content is unchanged. */
interface KnownNatives<Native> {
  /** Records that these natives represent these messages; `said` is what they read as, if known. */
  keep: (pair: Pair<Native>, said?: readonly Message[]) => void
  /** Whether a pair was known that has since been replaced by an equal one. */
  restate: (pair: Pair<Native>, restated: Pair<Native>) => boolean
  /**
   * The last-read pairs with which the natives still begin, without reading them again, and how many
   * natives they have. The last one is left out, because only what comes after a pair shows where it
   * ends.
   */
  beginning: (
    natives: readonly Native[],
    last: readonly Pair<Native>[],
  ) => { pairs: Pair<Native>[]; length: number }
  /** What is known about natives that begin with a pair just read, and how many pairs they are. */
  at: (
    fresh: readonly Pair<Native>[],
    index: number,
  ) => { pair: Pair<Native>; length: number } | undefined
}

/** A native's content when it was recorded, because a caller may change it in place. */
interface Recorded<Native> {
  native: Native
  /** The fields that are read; all of them, if it is plain data. */
  fields: readonly string[] | undefined
  was: Was
}

/** The first native of a pair: looking at hundreds of these at each step, nothing lies in between. */
interface Known<Native> extends Recorded<Native> {
  pair: Pair<Native>
  others: readonly Recorded<Native>[]
  /** What the natives read as; found out when it is needed, if only we wrote them. */
  said: readonly Message[] | undefined
  /** Something else has been recorded about the same native since. */
  isOver: boolean
}

function knownNatives<Native extends object>({
  read,
  fieldsRead,
}: Pick<Wire<Native>, 'read' | 'fieldsRead'>): KnownNatives<Native> {
  const byFirst = new WeakMap<Native, Known<Native>>()
  /** What is known about the pairs of a list, in order: looking each up by its native takes longer. */
  const byList = new WeakMap<readonly Pair<Native>[], Known<Native>[]>()

  function recorded(native: Native): Recorded<Native> {
    const fields = fieldsRead?.(native)
    const was: unknown[] = []
    if (fields) for (const key of fields) record(Reflect.get(native, key), was)
    else record(native, was)
    return { native, fields, was }
  }

  /** What is known of a pair, if its natives are here and unchanged. */
  function unchanged(
    natives: readonly Native[],
    start: number,
    pair: Pair<Native>,
    last: Known<Native> | undefined,
  ): Known<Native> | undefined {
    const native = natives[start]
    const known = last?.isOver === false ? last : native && byFirst.get(native)
    if (known?.native !== native || !known || !isAsRecorded(known)) return undefined
    if (known.pair !== pair && !isEach(known.pair.natives, pair.natives)) return undefined
    for (let index = 0; index < known.others.length; index++) {
      const other = known.others[index] as Recorded<Native>
      if (other.native !== natives[start + index + 1] || !isAsRecorded(other)) return undefined
    }
    return known
  }

  return {
    keep(pair, said) {
      const [native, ...others] = pair.natives
      if (!native) return
      const before = byFirst.get(native)
      if (before) before.isOver = true
      byFirst.set(native, {
        ...recorded(native),
        pair,
        others: others.map(recorded),
        said,
        isOver: false,
      })
    },
    restate(pair, restated) {
      const [native] = pair.natives
      const known = native && byFirst.get(native)
      if (known?.pair !== pair) return false
      known.pair = restated
      return true
    },
    beginning(natives, last) {
      const known = byList.get(last) ?? []
      const pairs = last.slice()
      let [count, start, length] = [0, 0, 0]
      for (; count < last.length; count++) {
        const one = unchanged(natives, start, last[count] as Pair<Native>, known[count])
        if (!one) break
        known[count] = one
        pairs[count] = one.pair
        length = start
        start += 1 + one.others.length
      }
      known.length = count
      pairs.length = Math.max(0, count - 1)
      byList.set(pairs, known)
      return { pairs, length }
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
      if (!isEach(natives, known.pair.natives)) return undefined
      // What was read shares objects with the natives: it is still true only if they are unchanged.
      if (!isAsRecorded(known) || !known.others.every(isAsRecorded)) return undefined
      const messages = messagesIn(fresh.slice(index, index + length))
      known.said ??= messagesIn(read(natives))
      return isSaidBy(messages, known.said) ? { pair: known.pair, length } : undefined
    },
  }
}

function isAsRecorded({ native, fields, was }: Recorded<object>): boolean {
  if (!fields) return compare(native, was, 0) === was.length
  let at = 0
  for (let index = 0; index < fields.length && at >= 0; index++) {
    at = compare((native as Record<string, unknown>)[fields[index] as string], was, at)
  }
  return at === was.length
}

/**
 * The earlier content of plain data, for comparison: all keys and values at any depth, in order, in
 * one list. Texts are not copied.
 */
type Was = readonly unknown[]

const list = Symbol('list')
const fields = Symbol('fields')
const end = Symbol('end')

/** Where a provider's cache ends moves with each request, and says nothing. */
function isBeside(key: string): boolean {
  return key === 'cache_control' || key === 'prompt_cache_breakpoint'
}

/** Records plain data as it is now. */
function record(value: unknown, into: unknown[]): void {
  if (typeof value !== 'object' || value === null) {
    into.push(value)
  } else if (Array.isArray(value)) {
    into.push(list, value.length)
    for (const item of value) record(item, into)
  } else {
    into.push(fields)
    for (const key in value) {
      if (isBeside(key)) continue
      into.push(key)
      record((value as Record<string, unknown>)[key], into)
    }
    into.push(end)
  }
}

/**
 * Compares plain data with what was recorded from a place on, whoever may have modified it, and at
 * any depth. This looks at each value and allocates nothing; a text that is still the same object is
 * not read.
 * @returns the place behind it; -1 if it is different.
 */
function compare(value: unknown, was: Was, at: number): number {
  if (typeof value !== 'object' || value === null) return was[at] === value ? at + 1 : -1
  let next = at + 1
  if (Array.isArray(value)) {
    if (was[at] !== list || was[next] !== value.length) return -1
    next += 1
    for (let index = 0; index < value.length && next >= 0; index++) {
      next = compare(value[index], was, next)
    }
    return next
  }
  if (was[at] !== fields) return -1
  for (const key in value) {
    if (isBeside(key)) continue
    if (was[next] !== key) return -1
    next = compare((value as Record<string, unknown>)[key], was, next + 1)
    if (next < 0) return -1
  }
  return was[next] === end ? next + 1 : -1
}
