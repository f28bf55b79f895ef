import { addResult, giveReply, type Reply, type Result } from '../conversation/conversation.ts'
import { giveUsers, holds, settle } from '../conversation/asides.ts'
import { userMessages, type OriginPart } from '../conversation/user-messages.ts'
import { closeReply, fileUnit, omit, type TreeState } from './tree-state.ts'
import { startUnit, startUnseen } from './tree.ts'
import type { Metadata } from '../../log/entry.ts'

/** Files a record that the model does not see. */
export function fileUnseen({ tree }: TreeState): void {
  startUnseen(tree)
}

/** Gives what stands in the user's place. */
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

/** Gives a reply, which stays open for the results of its calls. */
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

/** A reply that was never finished, and that the model does not see. */
export function fileUnfinished(state: TreeState): void {
  omit(state, 'unfinished')
  fileUnseen(state)
}
