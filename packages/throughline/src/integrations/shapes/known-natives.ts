import { areFieldsAsTheyWere, asItIs, fieldsAsTheyAre, isAsItWas, type Was } from './as-it-was.ts'
import { messagesIn, type Pair, type Shape } from './shape.ts'
import { isSaidBy } from './said-by.ts'
import type { Message } from '../../log/message.ts'

/** What natives were read as, for as long as they say what they said then. */
export interface KnownNatives<Native> {
  /** Takes these natives for what stands for these messages; `said` is what they read as. */
  keep: (pair: Pair<Native>, said: readonly Message[]) => void
  /** Whether a pair was known, in whose place there is now one that says the same. */
  restate: (pair: Pair<Native>, restated: Pair<Native>) => boolean
  /**
   * The pairs read last that the natives still begin with, without reading them. The last one of
   * these is left out: what stands behind a pair says where it ends.
   */
  beginning: (natives: readonly Native[], last: readonly Pair<Native>[]) => Pair<Native>[]
  /** What is known of the natives that begin with a pair just read, and how many pairs they are. */
  at: (
    fresh: readonly Pair<Native>[],
    index: number,
  ) => { pair: Pair<Native>; length: number } | undefined
}

interface Known<Native> {
  pair: Pair<Native>
  /** What the natives said when they were remembered: a caller may change them in place. */
  said: readonly Message[]
  /** What they were when they were last read. */
  was: readonly Was[]
}

export function knownNatives<Native extends object>({
  fieldsRead,
}: Pick<Shape<Native>, 'fieldsRead'>): KnownNatives<Native> {
  const byFirst = new WeakMap<Native, Known<Native>>()

  function asRead(natives: readonly Native[]): Was[] {
    return natives.map((native) =>
      fieldsRead ? fieldsAsTheyAre(native, fieldsRead(native)) : asItIs(native),
    )
  }

  function isAsRead(native: Native, was: Was): boolean {
    return fieldsRead ? areFieldsAsTheyWere(native, was) : isAsItWas(native, was)
  }

  /** The pair of as many natives as this one has, if they stand here and nobody has changed them. */
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
      if (native) byFirst.set(native, { pair, said, was: asRead(pair.natives) })
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
