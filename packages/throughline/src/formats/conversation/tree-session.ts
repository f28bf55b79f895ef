import { newAsides, settle, type Asides, giveUsers, holds } from './asides.ts'
import {
  newConversation,
  type Conversation,
  addResult,
  giveReply,
  type Reply,
  type Result,
} from './conversation.ts'
import { draftQueue, give, type DraftQueue } from '../reading/draft-queue.ts'
import { newTree, sameView, spanUnit, startUnit, viewAt, type Tree, startUnseen } from './tree.ts'
import type { SessionFacts } from '../format.ts'
import type { Seq, Metadata } from '../../log/entry.ts'
import { userMessages, type OriginPart } from './user-messages.ts'

/** The state while reading a session whose records name their predecessors. */
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

/** What the records have said about the session so far. */
export function factsOf({ facts, omitted }: TreeState): SessionFacts {
  return { ...facts, ...(Object.keys(omitted).length > 0 && { omitted: { ...omitted } }) }
}

/** Closes the open reply: it gets no more results. */
export function closeReply(state: TreeState): void {
  settle(state.asides)
  const { reply } = state
  state.reply = undefined
  if (reply) spanUnit(state.tree, reply.unit, reply.first, state.drafts.given)
}

/** Adds everything since `before` as a separate unit. */
function fileUnit(state: TreeState, before: Seq): void {
  spanUnit(state.tree, startUnit(state.tree), before + 1, state.drafts.given)
}

/**
 * If a record's parent is older than the newest record, the view goes back to that parent first.
 */
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

/** Adds a record that the model doesn't see. */
export function fileUnseen({ tree }: TreeState): void {
  startUnseen(tree)
}

/** Gives what stands in the user's role. */
export function fileUser(
  state: TreeState,
  parts: readonly OriginPart[],
  metadata: Metadata | undefined,
): void {
  const drafts = userMessages(parts, state.at, metadata)
  if (drafts.length === 0 || holds(state.asides, drafts)) return fileUnseen(state)
  closeReply(state)
  const before = state.drafts.given
  giveUsers(state.asides, drafts)
  fileUnit(state, before)
}

/** Adds a reply, which stays open for the results of its calls. */
export function fileReply(state: TreeState, reply: Omit<Reply, 'at'>): void {
  closeReply(state)
  const before = state.drafts.given
  if (giveReply(state.conversation, { ...reply, at: state.at })) {
    state.reply = { unit: startUnit(state.tree), first: before + 1 }
  } else fileUnseen(state)
}

export function fileResult(state: TreeState, result: Omit<Result, 'at'>): void {
  const { conversation } = state
  const awaited = conversation.open.has(result.toolCallId)
  if (!awaited) closeReply(state)
  const before = state.drafts.given
  addResult(conversation, { ...result, at: state.at })
  if (!awaited) return fileUnit(state, before)
  if (conversation.open.size === 0) settle(state.asides)
}

/** A reply that was never finished, and that the model doesn't see. */
export function fileUnfinished(state: TreeState): void {
  omit(state, 'unfinished')
  fileUnseen(state)
}
