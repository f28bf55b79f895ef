import { draftQueue, give } from '../reading/grown-log.ts'
import type { SessionState } from '../conversation/session-state.ts'
import { newConversation } from '../conversation/conversation.ts'
import { outputText } from '../../log/message.ts'
import { utf8Bytes } from '../../compaction/prune/placeholder.ts'
import type { Fields } from '../../json/fields.ts'
import type { EntryDraft, Replacement, Seq } from '../../log/entry.ts'

/** What is known while an export is read. */
export interface State extends SessionState {
  /** All messages that were pushed: a later part says when an earlier one was cleared. */
  messages: Fields[]
  ids: Set<string>
  /** The message from which on the human undid everything. */
  revertedFrom: string | undefined
  /** By message: the seq that its first entry has. */
  firstOf: Map<string, Seq>
  /** The seqs of all entries that are messages, oldest first. */
  messageSeqs: Seq[]
  results: Map<string, GivenResult>
  /** By entry: the placeholders of those of its results that were cleared. */
  cleared: Map<Seq, Replacement[]>
  markers: Map<string, Marker>
  asked: Asked | undefined
}

/** The human's requests, and their positions. */
interface Asked {
  seq: Seq
  words: string
}

/** A requested compaction: the newest entry and the newest request before it. */
export interface Marker {
  part: Fields
  base: Seq
  asked: Asked | undefined
}

/** A result that was added: what is needed to refer to it when it is cleared. */
interface GivenResult {
  tool: string
  seq: Seq
  part: number
  bytes: number
}

export function newState(): State {
  const state: State = {
    drafts: draftQueue(),
    conversation: newConversation((draft) => void giveDraft(state, draft)),
    facts: {},
    omitted: {},
    messages: [],
    ids: new Set(),
    revertedFrom: undefined,
    at: 0,
    firstOf: new Map(),
    messageSeqs: [],
    results: new Map(),
    cleared: new Map(),
    markers: new Map(),
    asked: undefined,
  }
  return state
}

export function giveDraft(state: State, draft: EntryDraft): Seq {
  const seq = give(state.drafts, draft)
  if (draft.kind !== 'message') return seq
  state.messageSeqs.push(seq)
  if (draft.message.role !== 'tool') return seq
  draft.message.content.forEach((result, part) => {
    if (result.type !== 'tool-result') return
    const { toolCallId, toolName, output } = result
    const bytes = utf8Bytes(outputText(output))
    state.results.set(toolCallId, { tool: toolName, seq, part, bytes })
  })
  return seq
}
