import { newAsides, settle, type Asides } from '../conversation/asides.ts'
import { newConversation, type Conversation } from '../conversation/conversation.ts'
import { draftQueue, give, type DraftQueue } from '../reading/draft-queue.ts'
import { newTree, sameView, spanUnit, startUnit, viewAt, type Tree } from './tree.ts'
import type { SessionFacts } from '../format.ts'
import type { Seq } from '../../log/entry.ts'

/** What is known while a session is read whose records name the ones before them. */
export interface TreeState {
  drafts: DraftQueue
  conversation: Conversation
  asides: Asides
  facts: SessionFacts
  omitted: Record<string, number>
  /** The time of the newest record that had one. */
  at: number
  tree: Tree
  /** The reply that may still get results: its unit, and its own seq. */
  reply: { unit: number; first: Seq } | undefined
}

export function newTreeState(): TreeState {
  const drafts = draftQueue()
  const conversation = newConversation((draft) => void give(drafts, draft))
  return {
    drafts,
    conversation,
    asides: newAsides(conversation),
    facts: {},
    omitted: {},
    at: 0,
    tree: newTree(),
    reply: undefined,
  }
}

export function omit(state: TreeState, reason: string): void {
  state.omitted[reason] = (state.omitted[reason] ?? 0) + 1
}

/** What the records said of the session so far. */
export function factsOf({ facts, omitted }: TreeState): SessionFacts {
  return { ...facts, ...(Object.keys(omitted).length > 0 && { omitted: { ...omitted } }) }
}

/** Gives what belongs to the open reply: it gets no more. */
export function closeReply(state: TreeState): void {
  settle(state.asides)
  const { reply } = state
  state.reply = undefined
  if (reply) spanUnit(state.tree, reply.unit, reply.first, state.drafts.given)
}

/** Files all that was given behind `before` as a unit of its own. */
export function fileUnit(state: TreeState, before: Seq): void {
  spanUnit(state.tree, startUnit(state.tree), before + 1, state.drafts.given)
}

/** If a record's parent is an older one than the newest, the view goes back to that one first. */
export function goBack(state: TreeState, parent: unknown): void {
  const { tree, drafts } = state
  const root = parent === null ? 0 : undefined
  const unit = typeof parent === 'string' ? tree.unitOf.get(parent) : root
  if (unit === undefined || unit === tree.newest) return
  if (!sameView(tree, unit, tree.newest)) {
    closeReply(state)
    give(drafts, { kind: 'rewind', at: state.at, to: viewAt(tree, unit) })
  }
  tree.newest = unit
}
