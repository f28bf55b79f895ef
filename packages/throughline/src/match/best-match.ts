import { earlierViews, knownKeys, renderedView, writtenView } from './known-view.ts'
import { farther, matchView, type Match } from './match-view.ts'
import type { Chronological, ModelOrder } from '../log/order.ts'
import type { HostPart } from './host-array.ts'
import type { SummaryRole } from '../compaction/render/summary-block.ts'

/** What a session's log says, and how it is shown. */
interface Shown {
  items: ModelOrder
  log: Chronological
  summaryRole: SummaryRole
  provider: string | undefined
}

/** The view that the host most likely holds: the one that matches furthest. */
export function bestMatch(
  parts: readonly HostPart[],
  { items, log, summaryRole, provider }: Shown,
): Match {
  const known = knownKeys(log)
  // Everything after this is new, so no other view matches further.
  const isSure = ({ whole, length }: Match): boolean =>
    whole && length > 0 && parts.slice(length).every(({ key }) => !known.has(key))
  const current = matchView(parts, renderedView(items, log, summaryRole))
  if (isSure(current)) return current
  const written = matchView(parts, writtenView(log))
  if (isSure(written)) return written
  let best = farther(written, current)
  for (const view of earlierViews(log, summaryRole, provider)) {
    best = farther(best, matchView(parts, view))
  }
  return best
}
