import { countOf, nameOf, textOf, type Fields } from '../../json/fields.ts'
import { give } from '../reading/draft-queue.ts'
import { closeReply, newTreeState, type TreeState } from '../conversation/tree-session.ts'
import { messagesSince, spanUnit, startUnit } from '../conversation/tree.ts'
import type { TailItem } from '../../log/entry.ts'

const noSummary = 'pi compacted the session here. Its file contains no summary.'

/** Adds a compaction: its summary, and what it kept word for word. */
export function giveCheckpoint(state: State, record: Fields): void {
  closeReply(state)
  const { drafts, tree, at } = state
  const id = nameOf(record['id'])
  const summary = textOf(record['summary']) ?? ''
  const preTokens = countOf(record['tokensBefore'])
  const seq = give(drafts, {
    kind: 'checkpoint',
    at,
    base: drafts.given,
    summary: summary.trim() === '' ? noSummary : summary,
    summarizer: 'pi',
    tail: tailOf(state, record),
    continuation: null,
    metadata: {
      ...(preTokens !== undefined && { preTokens }),
      ...(id && { source: { records: [id] } }),
    },
  })
  // Its span stays empty: a checkpoint is never part of another one's tail.
  spanUnit(tree, startUnit(tree), seq + 1, seq)
}

function tailOf({ tree }: State, record: Fields): TailItem[] {
  const index = countOf(record['firstKeptEntryIndex'])
  const id = nameOf(record['firstKeptEntryId']) ?? (index === undefined ? '' : indexId(index))
  const first = tree.unitOf.get(id)
  if (first === undefined) return []
  return messagesSince(tree, first).map((seq) => ({ type: 'entry', seq }))
}

/** The name of an entry that has no id. */
export function indexId(index: number): string {
  return `#${index}`
}

/** What is known while a session file is read. */
export interface State extends TreeState {
  /** The position of the record in its file, from 0: what version 1 has instead of ids. */
  index: number
}

export function newState(): State {
  return { ...newTreeState(), index: 0 }
}
