import { give } from '../reading/draft-queue.ts'
import { outputText } from '../../log/message-text.ts'
import { utf8Bytes } from '../../compaction/prune/placeholder.ts'
import { branchPoint, spanUnit } from './chain.ts'
import { replyDraft } from './reply.ts'
import { omit, type State } from './state.ts'
import type { Fields } from '../../json/fields.ts'
import type { MessageDraft } from '../../log/entry.ts'
import type { ToolResultPart } from '../../log/message.ts'

/** Gives the open reply, its results and what followed them: it gets no more of any. */
export function closeReply(state: State): void {
  const { reply } = state
  if (!reply) return
  state.reply = undefined
  const first = state.drafts.given + 1
  const draft = replyDraft(reply)
  if (draft) give(state.drafts, draft)
  else omit(state, 'unfinished')
  if (reply.results.length > 0) {
    giveResults(state, reply.results, reply.resultsAt, reply.resultRecords)
  }
  spanUnit(state.chain, reply.unit, first, state.drafts.given)
  for (const { unit, drafts } of reply.after) giveMessages(state, unit, drafts)
}

/** Gives results as one message, and remembers where each of them stands. */
export function giveResults(
  state: State,
  results: ToolResultPart[],
  at: number,
  records: string[],
): void {
  const seq = give(state.drafts, {
    kind: 'message',
    at,
    message: { role: 'tool', content: results },
    origin: 'tool',
    metadata: { source: { records } },
  })
  results.forEach(({ toolCallId, toolName, output }, part) => {
    const bytes = utf8Bytes(outputText(output))
    state.results.set(toolCallId, { tool: toolName, seq, part, bytes })
  })
}

export function giveMessages(state: State, unit: number, drafts: readonly MessageDraft[]): void {
  const first = state.drafts.given + 1
  for (const draft of drafts) give(state.drafts, draft)
  spanUnit(state.chain, unit, first, state.drafts.given)
}

/** If this record follows an older one than the newest, the view goes back to that one first. */
export function goBack(state: State, record: Fields): void {
  const unit = branchPoint(state.chain, record)
  if (unit === undefined) return
  const to = state.chain.last[unit] ?? 0
  // Nothing that the model saw lies between: there is nothing to go back over.
  if (to < state.drafts.given) give(state.drafts, { kind: 'rewind', at: state.at, to })
  state.chain.newest = unit
}
