import { isSaidBy } from './twins.ts'
import type { Pair } from './shape.ts'

/**
 * Gives back the objects that came wherever what is sent says the same: a store keeps copies.
 * Both are in the order of the conversation, and most of what was sent came before.
 */
export function pairUp<Native>(
  sent: readonly Pair<Native>[],
  came: readonly Pair<Native>[],
  remember: (pair: Pair<Native>) => Pair<Native>,
): Pair<Native>[] {
  const places = new Map(came.map((pair, index) => [pair, index]))
  const paired = [...sent]
  let end = came.length
  for (let index = sent.length - 1; index >= 0; index--) {
    const pair = sent[index] as Pair<Native>
    const known = places.get(pair)
    if (known !== undefined) {
      end = known
      continue
    }
    const place = lastSame(pair, came, end)
    if (place === undefined) continue
    end = place
    const { natives } = came[place] as Pair<Native>
    paired[index] = remember({ natives, messages: pair.messages })
  }
  return paired
}

function lastSame<Native>(
  { messages }: Pair<Native>,
  came: readonly Pair<Native>[],
  end: number,
): number | undefined {
  for (let place = end - 1; place >= 0; place--) {
    if (isSaidBy((came[place] as Pair<Native>).messages, messages)) return place
  }
  return undefined
}
