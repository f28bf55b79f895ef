import { addResult, closeResults, giveEntries, giveReply } from '../conversation/conversation.ts'
import { closeReply, spanUnit, startUnit } from '../conversation/tree-session.ts'
import { contentText, partsOf } from '../gemini-cli/user-parts.ts'
import { countOf, fieldsOf, nameOf, objectsOf, type Fields } from '../../json/fields.ts'
import { give } from '../reading/grown-log.ts'
import { replyParts, resultsIn } from './reply.ts'
import { unitOfCall, unitOfReply, unitOfUser, type State } from './units.ts'
import { userMessages } from '../conversation/user-messages.ts'
import { userParts } from './user-parts.ts'
import type { Seq, TailItem } from '../../log/entry.ts'

const noSummary = 'Qwen Code compacted the session here. Its file contains no summary.'

/**
 * Adds a compaction: the new text at the beginning is its summary, the repeated messages are its
 * tail, and anything else it inserted is added as restored.
 */
export function giveCompaction(state: State, record: Fields): void {
  closeReply(state)
  const payload = fieldsOf(record['systemPayload'])
  const history = objectsOf(payload?.['compressedHistory'])
  const front = frontLength(history)
  const spans = history.slice(front).flatMap((content) => spansOf(state, content))
  const tail = tailWithin([...spans, ...given(state, () => closeResults(state.conversation))])
  state.conversation.open.clear()
  const { drafts, tree, at } = state
  const preTokens = countOf(fieldsOf(payload?.['info'])?.['originalTokenCount'])
  const id = nameOf(record['uuid'])
  const seq = give(drafts, {
    kind: 'checkpoint',
    at,
    base: drafts.given,
    summary: summaryIn(history.slice(0, front)),
    summarizer: 'qwen-code',
    tail,
    continuation: null,
    metadata: {
      ...(preTokens !== undefined && { preTokens }),
      ...(id && { source: { records: [id] } }),
    },
  })
  // Its span stays empty: a checkpoint is never part of another one's tail.
  spanUnit(tree, startUnit(tree), seq + 1, seq)
}

const acknowledged = 'Got it. Thanks for the additional context!'

/** How many contents make up the summary: the text in the user's role, and its acknowledgment. */
function frontLength(history: readonly Fields[]): number {
  const [first, second] = history
  if (first?.['role'] !== 'user') return 0
  return contentText(second?.['parts']).startsWith(acknowledged) ? 2 : 1
}

function summaryIn([first]: readonly Fields[]): string {
  const summary = contentText(first?.['parts'])
  return summary.trim() === '' ? noSummary : summary
}

/** The position of a content that was kept; contents without one are added. */
function spansOf(state: State, { role, parts: content }: Fields): Span[] {
  const parts = partsOf(content)
  if (role === 'model') {
    const reply = replyParts(parts)
    const unit = unitOfReply(state, reply)
    if (unit !== undefined) return [spanOf(state, unit)]
    const metadata = { restored: true }
    return given(state, () =>
      giveReply(state.conversation, { at: state.at, parts: reply, metadata }),
    )
  }
  return [...resultSpans(state, parts), ...userSpans(state, parts)]
}

/** Results are in the unit of their call. */
function resultSpans(state: State, parts: readonly Fields[]): Span[] {
  return resultsIn(parts, false).flatMap((result) => {
    if (unitOfCall(state, result.toolCallId) !== undefined) return []
    return given(state, () => addResult(state.conversation, { ...result, at: state.at }))
  })
}

function userSpans(state: State, parts: readonly Fields[]): Span[] {
  const texts = parts.filter((part) => typeof part['text'] === 'string')
  return texts.flatMap((part) => {
    const said = userParts([part])
    const unit = unitOfUser(state, said)
    if (unit !== undefined) return [spanOf(state, unit)]
    return given(state, () => {
      giveEntries(state.conversation, userMessages(said, state.at, { restored: true }))
    })
  })
}

function spanOf({ tree }: State, unit: number): Span {
  return { first: tree.first[unit] ?? 1, last: tree.last[unit] ?? 0 }
}

/** The entries that this adds. */
function given({ drafts }: State, giving: () => void): Span[] {
  const first = drafts.given + 1
  giving()
  return drafts.given < first ? [] : [{ first, last: drafts.given }]
}

/** Entries from the first to the last. */
interface Span {
  first: Seq
  last: Seq
}

const longestTail = 2000

/** The entries of these spans, each once, in the order of the spans; of very many the last ones. */
function tailWithin(spans: readonly Span[]): TailItem[] {
  const seqs: Seq[] = []
  const known = new Set<Seq>()
  for (const { first, last } of spans.toReversed()) {
    for (let seq = last; seq >= first && seqs.length < longestTail; seq--) {
      if (!known.has(seq)) seqs.push(seq)
      known.add(seq)
    }
  }
  return seqs.toReversed().map((seq) => ({ type: 'entry', seq }))
}
