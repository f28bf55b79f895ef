import { isSaidBy } from './said-by.ts'
import type { Message } from '../../log/message.ts'
import type { Pair } from './shape.ts'
import type { RememberingShape } from './twins.ts'

/**
 * Writes messages, and gives back the objects that came wherever they say the same: a store keeps
 * copies, and a summary is rendered anew. Both are in the order of the conversation.
 */
export function writeLike<Native>(
  shape: RememberingShape<Native>,
  messages: readonly Message[],
  came: readonly Pair<Native>[],
): Pair<Native>[] {
  const found: { pair: Pair<Native>; start: number; end: number }[] = []
  let below = came.length
  for (let end = messages.length; end > 0;) {
    const place = placeOf(messages, end, came, below)
    const pair = place === undefined ? undefined : came[place]
    if (place === undefined || !pair) {
      end -= 1
      continue
    }
    below = place
    const start = end - pair.messages.length
    found.push({ pair, start, end })
    end = start
  }
  const pairs: Pair<Native>[] = []
  let written = 0
  for (const { pair, start, end } of found.toReversed()) {
    pairs.push(...shape.write(messages.slice(written, start)))
    const now = messages.slice(start, end)
    const isItself = now.every((message, index) => message === pair.messages[index])
    pairs.push(isItself ? pair : shape.remember({ natives: pair.natives, messages: now }))
    written = end
  }
  return [...pairs, ...shape.write(messages.slice(written))]
}

/** The newest of these pairs whose messages are those that end here. */
function placeOf<Native>(
  messages: readonly Message[],
  end: number,
  came: readonly Pair<Native>[],
  below: number,
): number | undefined {
  for (let place = below - 1; place >= 0; place--) {
    const { messages: said } = came[place] as Pair<Native>
    if (said.length > end || said.length === 0) continue
    if (
      said.at(-1) !== messages[end - 1] &&
      !isSaidBy(said.slice(-1), [messages[end - 1] as Message])
    )
      continue
    if (isSaidBy(said, messages.slice(end - said.length, end))) return place
  }
  return undefined
}
