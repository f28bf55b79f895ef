import { countOf, nameOf, textOf, type Fields } from '../../json/fields.ts'
import { settle } from '../conversation/asides.ts'
import { give } from '../reading/draft-queue.ts'
import type { State } from './state.ts'
import type { Seq, TailItem } from '../../log/entry.ts'

const noSummary = 'Copilot compacted the session here. Its file contains no summary.'

/**
 * Adds a successful compaction. Copilot compacts while the conversation continues: messages since
 * its start stay, and so do the human's words from before.
 */
export function giveCheckpoint(state: State, data: Fields, id: string | undefined): void {
  const { drafts, at } = state
  const base = state.compacting ?? newestWhole(state)
  settle(state.asides)
  state.compacting = undefined
  if (data['success'] === false) return
  const summary = textOf(data['summaryContent']) ?? ''
  const preTokens = countOf(data['preCompactionTokens'])
  give(drafts, {
    kind: 'checkpoint',
    at,
    base,
    summary: summary.trim() === '' ? noSummary : summary,
    summarizer: 'copilot-cli',
    tail: humanTail(state, base),
    continuation: null,
    metadata: {
      ...(preTokens !== undefined && { preTokens }),
      ...(nameOf(data['trigger']) && { trigger: data['trigger'] }),
      ...(id && { source: { records: [id] } }),
    },
  })
}

/** The newest entry after which no result is missing: a step is never cut in two. */
export function newestWhole({ asides, conversation, drafts, reply }: State): Seq {
  if (conversation.open.size > 0) return reply - 1
  settle(asides)
  return drafts.given
}

const longestTail = 500

function humanTail({ humans }: State, base: number): TailItem[] {
  const first = humans.findLastIndex((seq) => seq <= base)
  return humans
    .slice(Math.max(0, first + 1 - longestTail), first + 1)
    .map((seq) => ({ type: 'entry', seq }))
}
