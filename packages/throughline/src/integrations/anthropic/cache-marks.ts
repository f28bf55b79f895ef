import { breakpointsIn, isSummary, markedAtEnd, mostBreakpoints } from './breakpoints.ts'
import { isSame } from '../../wires/same.ts'
import type { AnthropicMessage } from '../../wires/anthropic/message.ts'
import type { Pair } from '../../wires/wire.ts'

/** Where the marks of a conversation stand. */
export interface CacheMarks {
  /** The pairs with marks where they pay; those of the caller stay and come first. */
  placed: (
    pairs: readonly Pair<AnthropicMessage>[],
    how: { ttl: '5m' | '1h'; elsewhere: number },
  ) => Pair<AnthropicMessage>[]
}

/**
 * The API looks for a hit at most 20 blocks before a mark. So the end of the last request stays
 * marked: what it wrote is found again, however much has come since.
 */
export function cacheMarks(): CacheMarks {
  let lastEnd: AnthropicMessage | undefined
  let end: AnthropicMessage | undefined
  return {
    placed(pairs, { ttl, elsewhere }) {
      const natives = pairs.flatMap((pair) => pair.natives)
      const newest = natives.at(-1)
      if (!isSame(newest, end)) [lastEnd, end] = [end, newest]
      const room = mostBreakpoints - elsewhere - breakpointsIn(natives).length
      const mark = { type: 'ephemeral', ...(ttl === '1h' && { ttl }) }
      const last = pairs.findLastIndex(({ natives: each }) =>
        lastEnd ? isSame(each.at(-1), lastEnd) : false,
      )
      // The end of this request first: what it writes is what the next one finds.
      const wanted = [pairs.length - 1, pairs.findLastIndex(isSummary), last]
      const placed = [...pairs]
      let left = room
      for (const index of new Set(wanted)) {
        const marked = left > 0 ? markedAtEnd(placed[index], mark) : undefined
        if (!marked) continue
        placed[index] = marked
        left -= 1
      }
      return placed
    },
  }
}
