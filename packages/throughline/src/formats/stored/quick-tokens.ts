import { advanceLearned, emptyLearned } from '../../compaction/learned.ts'
import { measure, scale, type Counter } from '../../compaction/plan/measure.ts'
import { summaryAsUser } from '../../compaction/render/summary-block.ts'
import { contextOf } from '../../log/context.ts'
import { chronological } from '../../log/order.ts'
import { changesView } from '../../log/view-change.ts'
import { readRecentLog } from '../../session/recent-log.ts'
import { startingRatio } from '../../tokens/calibration.ts'
import { estimateTokens } from '../../tokens/estimate.ts'
import { createMessageCounter } from '../../tokens/message-tokens.ts'
import type { Seq } from '../../log/entry.ts'
import type { Store, StoredSession } from '../../session/store.ts'
import type { Look } from './stored-facts.ts'

/** What has been seen of a session. */
interface Looked extends Look {
  /** Up to where the newest checkpoint stands for what was said; 0 without one. */
  base: Seq
}

// So many entries are read to count them; more would make a list of sessions slow.
const mostCounted = 300

/** The size of the next request, as far as it can be told without reading much. */
export async function quickTokens(
  store: Store,
  stored: StoredSession,
  looked: Looked,
): Promise<number | undefined> {
  const counter = counterFor(looked)
  const told = toldByUsage(looked, counter)
  if (told !== undefined || stored.newest - looked.base > mostCounted) return told
  const log = chronological(await readRecentLog(store, stored.id, 0))
  return measure(contextOf(log, stored.newest), looked.facts, counter, summaryAsUser).tokens
}

function counterFor({ marked, facts }: Looked): Counter {
  const { ratios } = advanceLearned(emptyLearned(), chronological(marked))
  return {
    text: estimateTokens,
    message: createMessageCounter(estimateTokens),
    ratio: ratios.get(facts.model ?? '') ?? startingRatio(facts.model),
  }
}

/** The newest usage that was measured on this very context, and what came after it. */
function toldByUsage({ marked, recent, facts }: Looked, counter: Counter): number | undefined {
  const changed = marked.findLast(changesView)?.seq ?? 0
  let since = 0
  for (const entry of recent.toReversed()) {
    if (entry.kind !== 'message' || entry.seq < changed) return undefined
    const { usage, model, message } = entry
    if (usage && (!model || !facts.model || model === facts.model)) {
      return usage.inputTokens + usage.outputTokens + scale(since, counter)
    }
    since += counter.message(message)
  }
  return undefined
}
