import { countOf, nameOf, textOf, type Fields } from '../../json/fields.ts'
import { give } from '../reading/grown-log.ts'
import {
  closeReply,
  newTreeState,
  type TreeState,
  messagesSince,
  spanUnit,
  startUnit,
} from '../conversation/tree-session.ts'
import { fieldsOf } from '../../json/fields.ts'
import { partsOf } from '../../log/message.ts'
import type { EntryDraft, Seq, TailItem } from '../../log/entry.ts'

/** Notes where the records of a draft stand, by their ids. */
function notePlaces(places: Map<string, Place[]>, draft: EntryDraft, seq: Seq): void {
  if (draft.kind !== 'message') return
  const source = fieldsOf(draft.metadata?.['source'])
  const records = (source?.['records'] as readonly string[] | undefined) ?? []
  const { message } = draft
  const result = message.role === 'tool' && message.content.length === records.length
  const shown = partsOf(message).flatMap(({ type }, index) =>
    type === 'tool-call' || type === 'reasoning' ? [] : [index],
  )
  records.forEach((id, index) => {
    const place = { seq, parts: result ? [index] : shown, result, alone: records.length === 1 }
    const others = places.get(id)
    if (others) others.push(place)
    else places.set(id, [place])
  })
}

/** Where what a record said stands: a message, or one of the results in it. */
export interface Place {
  seq: Seq
  /** The parts that hold words or media; of one result, its own alone. */
  parts: readonly number[]
  /** One result. */
  result: boolean
  /** Whether nothing else stands in the message. */
  alone: boolean
}

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
  state.compacted = seq
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
  /** By record: where what it said stands. */
  places: Map<string, Place[]>
  /** By reply: its last results. */
  resultsOf: Map<Seq, Seq>
  /** The newest compaction. */
  compacted: Seq
}

export function newState(): State {
  const state: State = {
    ...newTreeState(),
    index: 0,
    places: new Map(),
    resultsOf: new Map(),
    compacted: 0,
  }
  const { conversation, drafts, places, resultsOf } = state
  const giveOn = conversation.give
  let reply: Seq = 0
  conversation.give = (draft) => {
    giveOn(draft)
    const seq = drafts.given
    notePlaces(places, draft, seq)
    if (draft.kind === 'message' && draft.message.role === 'assistant') reply = seq
    else if (draft.kind === 'message' && draft.message.role === 'tool') resultsOf.set(reply, seq)
  }
  return state
}
