import { newConversation, type Conversation } from '../conversation/conversation.ts'
import { draftQueue, give, type DraftQueue } from '../reading/draft-queue.ts'
import { addSeq, newSpans, type Spans } from './spans.ts'
import type { SessionFacts } from '../format.ts'
import type { EventId, ReplyEvent } from './event.ts'
import type { AssistantPart } from '../../log/message.ts'

/** A reply that is being put together from its events. */
export interface OpenReply {
  event: ReplyEvent
  parts: AssistantPart[]
  events: EventId[]
  at: number
}

/** What is known while a session is read. */
export interface State {
  drafts: DraftQueue
  facts: SessionFacts
  omitted: Record<string, number>
  conversation: Conversation
  spans: Spans
  at: number
  /** The reply that may still get calls, and the events that it was made of. */
  reply: OpenReply | undefined
  /** The newest reply's response, while its other events may come. */
  response: string | undefined
  /** How many agents work for the one whose session this is. */
  delegations: number
  summary: string | undefined
  /** Whether a run was read: a file of several holds the session of the first. */
  run: boolean
}

export function newState(): State {
  const drafts = draftQueue()
  const spans = newSpans()
  return {
    drafts,
    facts: {},
    omitted: {},
    conversation: newConversation((draft) => addSeq(spans, give(drafts, draft))),
    spans,
    at: 0,
    reply: undefined,
    response: undefined,
    delegations: 0,
    summary: undefined,
    run: false,
  }
}

export function omit({ omitted }: State, reason: string): void {
  omitted[reason] = (omitted[reason] ?? 0) + 1
}
