import { omit } from '../omitted.ts'
import { newSessionState, type SessionState } from './session-state.ts'
import { newAsides, settle, giveUsers, holds } from './asides.ts'
import { addResult, giveReply } from './conversation.ts'
import { give } from '../reading/grown-log.ts'
import { userMessages } from './user-messages.ts'
import type { Asides } from './asides.ts'
import type { Reply, Result } from './conversation.ts'
import type { Seq, Metadata } from '../../log/entry.ts'
import type { OriginPart } from './user-messages.ts'

/**
 * What the model saw is the path from the file's newest entry back to its root. The path is
 * followed in units: a reply with its results, a user's message, a compaction, an entry that the
 * model doesn't see.
 */
interface Tree {
  /** The last unit when the record with this id was read. */
  unitOf: Map<string, number>
  /** By unit: its messages, from the first to the last. */
  first: Seq[]
  last: Seq[]
  /** By unit: the unit before it, and the one in which the view last changed. */
  before: number[]
  changed: number[]
  newest: number
}

/** A tree whose unit 0 is the empty beginning. */
function newTree(): Tree {
  return { unitOf: new Map(), first: [1], last: [0], before: [0], changed: [0], newest: 0 }
}

/** Starts a unit after the newest one, and changes the view. */
export function startUnit(tree: Tree): number {
  const unit = startUnseen(tree)
  tree.changed[unit] = unit
  return unit
}

/** Starts a unit that the model doesn't see. */
function startUnseen(tree: Tree): number {
  const unit = tree.before.length
  tree.first.push(1)
  tree.last.push(0)
  tree.before.push(tree.newest)
  tree.changed.push(tree.changed[tree.newest] ?? 0)
  tree.newest = unit
  return unit
}

export function spanUnit(tree: Tree, unit: number, first: Seq, last: Seq): void {
  tree.first[unit] = first
  tree.last[unit] = last
}

/** The state of the view at the end of a unit. */
function viewAt(tree: Tree, unit: number): Seq {
  return tree.last[tree.changed[unit] ?? 0] ?? 0
}

/** Whether the model sees the same at the end of both units. */
function sameView({ changed }: Tree, one: number, other: number): boolean {
  return changed[one] === changed[other]
}

const longestPath = 500

/** The messages on the path from one unit to the newest; none if it is not on the path. */
export function messagesSince(tree: Tree, from: number): Seq[] {
  const units: number[] = []
  let unit = tree.newest
  while (unit > from && units.length < longestPath) {
    units.push(unit)
    unit = tree.before[unit] ?? 0
  }
  if (unit < from) return []
  const seqs: Seq[] = []
  for (const part of [...units, unit].toReversed()) {
    for (let seq = tree.first[part] ?? 1; seq <= (tree.last[part] ?? 0); seq++) seqs.push(seq)
  }
  return seqs.slice(-longestPath)
}

/** The state while reading a session whose records name their predecessors. */
export interface TreeState extends SessionState {
  asides: Asides
  tree: Tree
  /** The reply that may still get results: its unit, and its own seq. */
  reply: { unit: number; first: Seq } | undefined
}

export function newTreeState(): TreeState {
  const session = newSessionState()
  const asides = newAsides(session.conversation)
  return { ...session, asides, tree: newTree(), reply: undefined }
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
