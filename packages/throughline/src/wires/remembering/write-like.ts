import { isEach, sameBeginning } from '../../match/prefix.ts'
import { isSaidBy } from '../../match/same.ts'
import type { Message } from '../../log/message.ts'
import type { Pair } from '../wire.ts'
import type { RememberingWire } from './remembering.ts'

/** What messages were written as. */
export interface Written<Native> {
  messages: readonly Message[]
  /** The original pairs, now with exactly these messages. */
  came: readonly Pair<Native>[]
  pairs: readonly Pair<Native>[]
  /** Which of these pairs are original, in order. */
  found: readonly Found[]
}

/** An original pair: its position, and where it ends among the messages and the pairs written. */
interface Found {
  place: number
  end: number
  pairsEnd: number
}

/**
 * Writes messages, and reuses the original objects wherever they say the same, because a store
 * keeps copies and a summary is rendered again. Both lists are in the order of the conversation. A
 * common beginning that is unchanged since the last write is written as before.
 */
export function writeLike<Native>(
  wire: RememberingWire<Native>,
  messages: readonly Message[],
  came: readonly Pair<Native>[],
  last?: Written<Native>,
): Written<Native> {
  const before = last ? asBefore(last, messages, came) : []
  const { place: below, end: start, pairsEnd } = before.at(-1) ?? nothing
  const pairs: Pair<Native>[] = []
  const found: Found[] = []
  let now: Pair<Native>[] | undefined
  let written = start
  const write = (end: number): void => {
    if (end > written) pairs.push(...wire.write(messages.slice(written, end)))
    written = end
  }
  for (const { place, end } of placesOf(messages, came, { end: start, place: below })) {
    const pair = came[place] as Pair<Native>
    const begin = end - pair.messages.length
    write(begin)
    const said = messages.slice(begin, end)
    const isItself = isEach(said, pair.messages)
    const same = isItself ? pair : wire.restate(pair, said)
    pairs.push(same)
    if (same !== pair) (now ??= came.slice())[place] = same
    written = end
    found.push({ place, end, pairsEnd: pairsEnd + pairs.length })
  }
  write(messages.length)
  return {
    messages,
    came: now ?? came,
    pairs: beginning(last?.pairs ?? [], pairsEnd).concat(pairs),
    found: before.concat(found),
  }
}

const nothing: Found = { place: -1, end: 0, pairsEnd: 0 }

/** The last match that is still in the same position. */
function asBefore<Native>(
  last: Written<Native>,
  messages: readonly Message[],
  came: readonly Pair<Native>[],
): readonly Found[] {
  const [end, places] = [sameBeginning(messages, last.messages), sameBeginning(came, last.came)]
  let count = last.found.length
  while (count > 0 && !isWithin(last.found[count - 1] as Found, end, places)) count -= 1
  return beginning(last.found, count)
}

/** A conversation mostly grows: then there is nothing to cut off. */
function beginning<Item>(items: readonly Item[], length: number): readonly Item[] {
  return length === items.length ? items : items.slice(0, length)
}

function isWithin(found: Found, end: number, places: number): boolean {
  return found.end <= end && found.place < places
}

/** Which of the original pairs come after this one, and where they end among the messages. */
function placesOf<Native>(
  messages: readonly Message[],
  came: readonly Pair<Native>[],
  behind: { end: number; place: number },
): { place: number; end: number }[] {
  const places: { place: number; end: number }[] = []
  let below = came.length
  for (let end = messages.length; end > behind.end;) {
    const place = placeOf(messages, { from: behind.end, end }, came, {
      from: behind.place + 1,
      end: below,
    })
    if (place === undefined) {
      end -= 1
      continue
    }
    places.push({ place, end })
    below = place
    end -= came[place]?.messages.length ?? 1
  }
  return places.toReversed()
}

interface Range {
  from: number
  end: number
}

/** The newest pair of a range whose messages are those that end a range. */
function placeOf<Native>(
  messages: readonly Message[],
  among: Range,
  came: readonly Pair<Native>[],
  places: Range,
): number | undefined {
  const newest = messages[among.end - 1] as Message
  for (let place = places.end - 1; place >= places.from; place--) {
    const { messages: said } = came[place] as Pair<Native>
    const final = said.at(-1)
    if (!final || said.length > among.end - among.from) continue
    if (final !== newest && !isSaidBy([final], [newest])) continue
    if (isSaidBy(said, messages.slice(among.end - said.length, among.end))) return place
  }
  return undefined
}
