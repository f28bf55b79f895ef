import { newConversation, type Conversation } from '../conversation/conversation.ts'
import { draftQueue, give, type DraftQueue } from '../reading/grown-log.ts'
import { outputText } from '../../log/message.ts'
import type { Fields } from '../../json/fields.ts'
import type { SessionFacts } from '../format.ts'
import type { EntryDraft, Ref, Replacement, Seq } from '../../log/entry.ts'

/** What is known while a session is read. */
export interface State {
  drafts: DraftQueue
  conversation: Conversation
  facts: SessionFacts
  omitted: Record<string, number>
  /** The time of the newest message that had one. */
  at: number
  /** The newest message: it is written again when its calls have results. */
  pending: Fields | undefined
  /** What the model said with the calls of the newest message, if that is a separate message. */
  said: Fields | undefined
  /** By active message: its first and its last entry. */
  given: Map<string, Span>
  /** The active messages, in the order of the view. */
  order: string[]
  results: Map<string, GivenResult>
  /** By entry: the replacements of those of its results that were masked. */
  masked: Map<Seq, Map<Ref, Replacement>>
}

export interface Span {
  first: Seq
  last: Seq
}

/** A result that was added: enough to see whether it was changed, and its position. */
interface GivenResult {
  seq: Seq
  part: number
  length: number
}

export function newState(): State {
  const state: State = {
    drafts: draftQueue(),
    conversation: newConversation((draft) => giveDraft(state, draft)),
    facts: {},
    omitted: {},
    at: 0,
    pending: undefined,
    said: undefined,
    given: new Map(),
    order: [],
    results: new Map(),
    masked: new Map(),
  }
  return state
}

function giveDraft(state: State, draft: EntryDraft): void {
  const seq = give(state.drafts, draft)
  if (draft.kind !== 'message' || draft.message.role !== 'tool') return
  draft.message.content.forEach((result, part) => {
    if (result.type !== 'tool-result') return
    const { length } = outputText(result.output)
    state.results.set(result.toolCallId, { seq, part, length })
  })
}
