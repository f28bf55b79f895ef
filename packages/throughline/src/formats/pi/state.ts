import { newAsides, settle, type Asides } from '../asides.ts'
import { newConversation, type Conversation } from '../conversation.ts'
import { draftQueue, give, type DraftQueue } from '../draft-queue.ts'
import { newTree, spanUnit, startUnit, type Tree } from './tree.ts'
import type { SessionFacts } from '../format.ts'
import type { Seq } from '../../log/entry.ts'

/** What is known while a session file is read. */
export interface State {
  drafts: DraftQueue
  conversation: Conversation
  asides: Asides
  facts: SessionFacts
  omitted: Record<string, number>
  /** The time of the newest entry that had one. */
  at: number
  /** The place of the record in its file, from 0: what version 1 has instead of ids. */
  index: number
  tree: Tree
  /** The reply that may still get results: its unit, and its own seq. */
  reply: { unit: number; first: Seq } | undefined
}

export function newState(): State {
  const drafts = draftQueue()
  const conversation = newConversation((draft) => void give(drafts, draft))
  return {
    drafts,
    conversation,
    asides: newAsides(conversation),
    facts: {},
    omitted: {},
    at: 0,
    index: 0,
    tree: newTree(),
    reply: undefined,
  }
}

export function omit(state: State, reason: string): void {
  state.omitted[reason] = (state.omitted[reason] ?? 0) + 1
}

/** Gives what belongs to the open reply: it gets no more. */
export function closeReply(state: State): void {
  settle(state.asides)
  const { reply } = state
  state.reply = undefined
  if (reply) spanUnit(state.tree, reply.unit, reply.first, state.drafts.given)
}

/** Files all that was given behind `before` as a unit of its own. */
export function fileUnit(state: State, before: Seq): void {
  spanUnit(state.tree, startUnit(state.tree), before + 1, state.drafts.given)
}
