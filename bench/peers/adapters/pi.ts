import { compact } from '@earendil-works/pi-coding-agent'
// Not among its exports, but what its own session calls first.
import { prepareCompaction } from '../node_modules/@earendil-works/pi-coding-agent/dist/core/compaction/index.js'
import { summaryTokens, type Adapter } from '../adapter.ts'
import {
  firstOf,
  fromPi,
  piModel,
  streamOf,
  tailsToTry,
  toPiEntries,
  type PiMessage,
} from '../shapes/pi.ts'

const summaryStart =
  'The conversation history before this point was compacted into the following summary:'

export const pi: Adapter = {
  name: 'pi compact',
  package: '@earendil-works/pi-coding-agent',
  work: 'summarizes',
  settings:
    'keepRecentTokens 40% of the budget, or twice as much where it finds no place to cut; the rest for its summaries',
  async compact({ messages, keep, state, model }) {
    const entries = toPiEntries(messages, state as string | undefined)
    const room = summaryTokens(keep)
    const preparation = firstOf(tailsToTry(keep), (keepRecentTokens) =>
      prepareCompaction(entries as never, { enabled: true, reserveTokens: room, keepRecentTokens }),
    )
    if (!preparation) return { messages, summary: '' }
    const two = preparation.isSplitTurn && preparation.turnPrefixMessages.length > 0
    let asked = 0
    // Two summaries share the room, the history's first.
    const most = (): number => Math.floor(two ? room * (asked++ === 0 ? 0.6 : 0.4) : room)
    const { summary, firstKeptEntryId } = await compact(
      preparation,
      piModel as never,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      streamOf(model, most) as never,
    )
    const from = entries.findIndex(({ id }) => id === firstKeptEntryId)
    const kept = entries.slice(Math.max(from, 0)).map(({ message }) => message as PiMessage)
    const first = `${summaryStart}\n\n<summary>\n${summary}\n</summary>`
    return {
      messages: [{ role: 'user', content: first }, ...fromPi(kept)],
      summary,
      state: summary,
    }
  },
}
