import { newAsides, type Asides } from '../conversation/asides.ts'
import { newConversation, type Conversation } from '../conversation/conversation.ts'
import { draftQueue, give, type DraftQueue } from '../reading/draft-queue.ts'
import type { SessionFacts } from '../format.ts'
import type { Seq } from '../../log/entry.ts'

/** What is known while events are read. */
export interface State {
  drafts: DraftQueue
  conversation: Conversation
  asides: Asides
  facts: SessionFacts
  omitted: Record<string, number>
  /** The time of the newest event that had one. */
  at: number
  /** What the human said, oldest first: a compaction keeps it. */
  humans: Seq[]
  /** By a user's event: the newest entry before it. */
  before: Map<string, Seq>
  /** The newest reply. */
  reply: Seq
  /** The newest entry when the compaction began: the conversation continues in the meantime. */
  compacting: Seq | undefined
}

export function newState(): State {
  const drafts = draftQueue()
  const humans: Seq[] = []
  const conversation = newConversation((draft) => {
    const seq = give(drafts, draft)
    if (draft.kind === 'message' && draft.origin === 'human') humans.push(seq)
  })
  return {
    drafts,
    conversation,
    asides: newAsides(conversation),
    facts: {},
    omitted: {},
    at: 0,
    humans,
    before: new Map(),
    reply: 0,
    compacting: undefined,
  }
}

export function omit(state: State, reason: string): void {
  state.omitted[reason] = (state.omitted[reason] ?? 0) + 1
}
