import { renderContext } from '../../compaction/render/render.ts'
import { summaryAsUser } from '../../compaction/render/summary-block.ts'
import { contextOf } from '../../log/context.ts'
import { entryAt } from '../../log/entry-at.ts'
import { modelOrder, type Chronological } from '../../log/order.ts'
import { withFreshCallIds } from './call-ids.ts'
import { withEveryResult } from './every-result.ts'
import { withPlainParts } from './plain-parts.ts'
import { withLegalToolNames } from './tool-names.ts'
import { wellFormed } from './well-formed.ts'
import type { Entry, Seq } from '../../log/entry.ts'
import type { ContextItem } from '../../log/context-item.ts'
import type { Message } from '../../log/message.ts'
import type { SessionFacts } from '../format.ts'
import type { WrittenMessage, WrittenSession } from './format-writer.ts'

/**
 * What a harness is to go on from, of a log: its context now. Nothing that is bound to the
 * provider of its time comes along, for another one may answer next.
 */
export function writtenSession(log: Chronological, facts: SessionFacts): WrittenSession {
  const items = contextOf(log).items.map(unbound)
  const [first] = items
  const { messages, seqs } = renderContext(modelOrder(items), summaryAsUser)
  const all = messages.map((message, index) => written(message, seqs[index] ?? 0, log))
  const [block] = all
  const behind = first?.type === 'summary' ? all.slice(1) : all
  const closed = withFreshCallIds(withLegalToolNames(withEveryResult(withPlainParts(behind))))
  if (first?.type !== 'summary' || typeof block?.message.content !== 'string') {
    return wellFormed({ messages: closed, facts })
  }
  return wellFormed({ summary: block.message.content, messages: closed, facts })
}

function unbound(item: ContextItem): ContextItem {
  return item.type === 'message' ? { ...item, kept: true } : item
}

function written(message: Message, seq: Seq, log: Chronological): WrittenMessage {
  const entry = entryAt(log, seq)
  const at = entry?.at ?? 0
  // What stands there without having been said, such as the mark of a gap, nobody said.
  if (entry?.kind !== 'message' || isStandIn(message, entry))
    return { message, origin: 'harness', at }
  const { origin, model, finish } = entry
  return {
    message,
    origin,
    at,
    ...(model !== undefined && { model }),
    ...(finish !== undefined && { finish }),
  }
}

/** A late result is read as text of the user. */
function isStandIn(message: Message, entry: Entry): boolean {
  return entry.kind === 'message' && entry.message.role !== message.role
}
