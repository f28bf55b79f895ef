import {
  COMPACTION_SUMMARY_PREFIX,
  COMPACTION_SUMMARY_SUFFIX,
  compact,
  // @ts-expect-error it ships no types for this entry
} from 'openclaw/plugin-sdk/agent-core'
// @ts-expect-error the same
import { prepareCompaction } from 'openclaw/plugin-sdk/agent-core'
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

interface Outcome<Value> {
  ok: boolean
  value: Value
  error?: Error
}

export const openclaw: Adapter = {
  name: 'openclaw compact',
  package: 'openclaw',
  work: 'summarizes',
  settings:
    'keepRecentTokens 40% of the budget, or twice as much where it finds no place to cut; the rest for its summaries; without its audit',
  async compact({ messages, keep, state, model }) {
    const entries = toPiEntries(messages, state as string | undefined)
    const room = summaryTokens(keep)
    const preparation = firstOf(tailsToTry(keep), (keepRecentTokens) => {
      const settings = { enabled: true, reserveTokens: room, keepRecentTokens }
      return valueOf<Record<string, unknown> | undefined>(prepareCompaction(entries, settings))
    })
    if (!preparation) return { messages, summary: '' }
    const prefix = preparation['turnPrefixMessages'] as unknown[]
    const two = preparation['isSplitTurn'] === true && prefix.length > 0
    let asked = 0
    const most = (): number => Math.floor(two ? room * (asked++ === 0 ? 0.6 : 0.4) : room)
    const { summary, firstKeptEntryId } = valueOf<{ summary: string; firstKeptEntryId: string }>(
      await compact(
        preparation,
        piModel,
        undefined,
        undefined,
        undefined,
        undefined,
        undefined,
        streamOf(model, most),
      ),
    )
    const from = entries.findIndex(({ id }) => id === firstKeptEntryId)
    const kept = entries.slice(Math.max(from, 0)).map(({ message }) => message as PiMessage)
    const first = `${COMPACTION_SUMMARY_PREFIX}${summary}${COMPACTION_SUMMARY_SUFFIX}`
    return {
      messages: [{ role: 'user', content: first }, ...fromPi(kept)],
      summary,
      state: summary,
    }
  },
}

function valueOf<Value>({ ok, value, error }: Outcome<Value>): Value {
  if (!ok) throw error ?? new Error('openclaw gave no reason.')
  return value
}
