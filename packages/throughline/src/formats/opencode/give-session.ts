import { omit } from '../omitted.ts'
import { fieldsOf, nameOf, objectsOf, timeOf, type Fields, textOf } from '../../json/fields.ts'
import { giveEntries, addResult, closeResults, giveReply } from '../conversation/conversation.ts'
import { userMessages } from '../conversation/user-messages.ts'
import {
  compactionPart,
  viewChanges,
  type ViewChanges,
  type Cleared,
  wordsOf,
  continuationOf,
} from './view-changes.ts'
import { giveDraft, type State, type Marker } from './state.ts'
import { userParts } from './user-parts.ts'
import { placeholder } from '../../compaction/prune/placeholder.ts'
import { ref } from '../../log/ref.ts'
import type { Replacement, Metadata, Seq, TailItem } from '../../log/entry.ts'
import { modelNameOf } from '../writing/written-fields.ts'
import { stepsOf, type Step, isAborted, usageOf } from './steps.ts'

/** What opencode shows the model in place of a compaction without a summary. */
const emptyMarker = 'What did we do so far?'

/** Adds all messages that were pushed, and the changes of the view where they happened. */
export function giveSession(state: State): void {
  const { messages } = state
  const changes = viewChanges(messages)
  state.messages = []
  /** The message that a compaction took as its continuation. */
  let taken: Fields | undefined
  messages.forEach((message, index) => {
    givePrune(state, changes.clearedBefore.get(index))
    const info = fieldsOf(message['info']) ?? {}
    const id = nameOf(info['id'])
    state.at = timeOf(fieldsOf(info['time'])?.['created']) ?? state.at
    if (id) state.firstOf.set(id, state.drafts.given + 1)
    if (message === taken) return
    if (info['role'] === 'user') return giveUser(state, message, changes)
    if (info['role'] !== 'assistant') return
    const marker = nameOf(info['parentID']) ?? ''
    if (changes.summaryOf.get(marker) !== message) {
      return giveReplies(state, message, index === messages.length - 1)
    }
    taken = giveCheckpoint(state, message, messages[index + 1])
  })
  givePrune(state, changes.clearedBefore.get(messages.length))
  giveRevert(state)
}

function giveUser(state: State, message: Fields, changes: ViewChanges): void {
  const id = nameOf(fieldsOf(message['info'])?.['id'])
  const marker = compactionPart(message)
  const parts = userParts(objectsOf(message['parts']))
  const done = marker !== undefined && id !== undefined && changes.summaryOf.has(id)
  if (marker && !done) parts.push({ origin: 'harness', part: { type: 'text', text: emptyMarker } })
  const drafts = userMessages(parts, state.at, id ? { source: { records: [id] } } : undefined)
  const before = state.drafts.given
  giveEntries(state.conversation, drafts)
  const human = drafts.findLastIndex(({ origin }) => origin === 'human')
  if (human >= 0) state.asked = { seq: before + human + 1, words: wordsOf(parts) }
  if (!done) return
  const { asked } = state
  state.markers.set(id, { part: marker, base: state.drafts.given, asked })
}

/** The human went back and has said nothing since. */
function giveRevert(state: State): void {
  const first = state.firstOf.get(state.revertedFrom ?? '')
  state.revertedFrom = undefined
  if (first === undefined || first > state.drafts.given) return
  giveDraft(state, { kind: 'rewind', at: state.at, to: first - 1 })
}

/** Adds the outputs that opencode cleared here as one prune. */
function givePrune(state: State, cleared: readonly Cleared[] = []): void {
  const calls = new Map(cleared.map(({ call, at }) => [call, at]))
  let compacted = 0
  const replacements: Replacement[] = []
  for (const [call, at] of calls) {
    const result = state.results.get(call)
    if (!result) continue
    compacted = Math.max(compacted, at)
    const name = ref(result.seq, result.part)
    const text = placeholder({ tool: result.tool, bytes: result.bytes, ref: name })
    const replacement: Replacement = { how: 'pruned', ref: name, text }
    replacements.push(replacement)
    const same = state.cleared.get(result.seq)
    if (same) same.push(replacement)
    else state.cleared.set(result.seq, [replacement])
  }
  if (replacements.length === 0) return
  giveDraft(state, {
    kind: 'prune',
    at: compacted,
    base: state.drafts.given,
    replacements,
    metadata: { time: { compacted } },
  })
}

/** Adds an assistant's message, step by step, each with its results. */
function giveReplies(state: State, message: Fields, last: boolean): void {
  const info = fieldsOf(message['info']) ?? {}
  const aborted = isAborted(info)
  // opencode never shows the model a reply that failed.
  if (info['error'] && !(aborted && holdsWork(message))) return omit(state, 'failed-reply')
  const model = modelNameOf(info['modelID'])
  const id = nameOf(info['id'])
  const metadata = id ? { source: { records: [id] } } : undefined
  const steps = stepsOf(message)
  steps.forEach((step, index) => {
    const { parts, usage, results } = step
    const stopped = aborted ? index === steps.length - 1 : hasOpenCalls(step) && !last
    const finish = stopped ? 'aborted' : step.finish
    const at = state.at
    if (!giveReply(state.conversation, { at, parts, model, usage, finish, metadata })) {
      if (parts.length > 0) omit(state, 'unfinished')
      return
    }
    for (const result of results) addResult(state.conversation, { at, ...result })
    closeResults(state.conversation)
  })
}

function holdsWork(message: Fields): boolean {
  return objectsOf(message['parts']).some(
    ({ type }) => type !== 'step-start' && type !== 'reasoning',
  )
}

function hasOpenCalls({ parts, results }: Step): boolean {
  const calls = parts.filter((part) => part.type === 'tool-call' && !part.providerExecuted)
  return calls.length > results.length
}

const noSummary = 'opencode compacted the session here. Its summary is empty.'

/** Adds a compaction, and returns which message `next` it used as its continuation. */
function giveCheckpoint(
  state: State,
  summary: Fields,
  next: Fields | undefined,
): Fields | undefined {
  const info = fieldsOf(summary['info']) ?? {}
  const marker = state.markers.get(nameOf(info['parentID']) ?? '')
  if (!marker) return undefined
  const texts = objectsOf(summary['parts']).flatMap((part) =>
    part['type'] === 'text' ? (textOf(part['text']) ?? []) : [],
  )
  const text = texts.join('\n')
  const continuation = continuationOf(marker, next)
  giveDraft(state, {
    kind: 'checkpoint',
    at: state.at,
    base: marker.base,
    summary: text.trim() === '' ? noSummary : text,
    summarizer: 'opencode',
    tail: tailOf(state, marker),
    continuation,
    metadata: metadataOf(marker, info, continuation ? next : undefined),
  })
  return continuation ? next : undefined
}

const longestTail = 500

/** What was kept word for word: from the message that the marker names up to the marker. */
function tailOf(state: State, { part, base }: Marker): TailItem[] {
  const first = state.firstOf.get(nameOf(part['tail_start_id']) ?? '')
  if (first === undefined) return []
  const end = countUpTo(state.messageSeqs, base)
  const start = Math.max(countUpTo(state.messageSeqs, first - 1), end - longestTail)
  return state.messageSeqs.slice(start, end).map((seq) => {
    const replacements = state.cleared.get(seq)
    return { type: 'entry', seq, ...(replacements && { replacements }) }
  })
}

/** How many of these seqs, which only grow, are not above `most`. */
function countUpTo(seqs: readonly Seq[], most: Seq): number {
  let low = 0
  let high = seqs.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((seqs[middle] ?? 0) <= most) low = middle + 1
    else high = middle
  }
  return low
}

function metadataOf({ part }: Marker, info: Fields, continued: Fields | undefined): Metadata {
  const preTokens = usageOf(info['tokens'])?.inputTokens
  const ids = [part['messageID'], info['id'], fieldsOf(continued?.['info'])?.['id']]
  return {
    trigger: part['auto'] === true ? 'auto' : 'manual',
    ...(preTokens !== undefined && { preTokens }),
    source: { records: ids.flatMap((id) => nameOf(id) ?? []) },
  }
}
