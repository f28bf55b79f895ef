import {
  addResult,
  closeResults,
  giveEntries,
  holds,
  type Reply,
  type Result,
} from './conversation.ts'
import {
  compact,
  newSessionState,
  omit,
  reply,
  rewind,
  seqsBetween,
  type Compacted,
  type SessionState,
} from './session-state.ts'
import { userMessages, type OriginPart } from './user-messages.ts'
import type { Metadata, Seq } from '../../log/entry.ts'

/**
 * What the model saw is the path from the file's newest entry back to its root. The path is
 * followed in units: a reply with its results, a user's message, a compaction, an entry that the
 * model doesn't see.
 */
export interface Tree {
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

const longestPath = 500

/** The units on the path from one to another, oldest first; none if it is not on the path. */
export function unitsBetween({ before }: Tree, from: number, to: number): number[] {
  const units: number[] = []
  let unit = to
  while (unit > from && units.length < longestPath) {
    units.push(unit)
    unit = before[unit] ?? 0
  }
  return unit < from ? [] : [...units, unit].toReversed()
}

/** The messages in these units. */
export function seqsIn({ first, last }: Tree, units: readonly number[]): Seq[] {
  return units.flatMap((unit) => seqsBetween(first[unit] ?? 1, last[unit] ?? 0))
}

/** The state while reading a session whose records name their predecessors. */
export interface TreeState extends SessionState {
  tree: Tree
  /** The reply that may still get results: its unit, and its own seq. */
  reply: { unit: number; first: Seq } | undefined
}

export function newTreeState(...given: Parameters<typeof newSessionState>): TreeState {
  return { ...newSessionState(...given), tree: newTree(), reply: undefined }
}

/** Closes the open reply: it gets no more results. */
export function closeReply(state: TreeState): void {
  closeResults(state.conversation)
  const { reply: open } = state
  state.reply = undefined
  if (open) spanUnit(state.tree, open.unit, open.first, state.drafts.given)
}

/**
 * If a record's parent is older than the newest record, the view goes back to that parent first.
 */
export function goBack(state: TreeState, parent: unknown): void {
  const { tree } = state
  const root = parent === null ? 0 : undefined
  const unit = typeof parent === 'string' ? tree.unitOf.get(parent) : root
  if (unit === undefined || unit === tree.newest) return
  const changed = tree.changed[unit] ?? 0
  if (changed !== tree.changed[tree.newest]) {
    closeReply(state)
    rewind(state, tree.last[changed] ?? 0)
  }
  tree.newest = unit
}

/** Adds a record that the model doesn't see. */
export function fileUnseen({ tree }: TreeState): void {
  startUnseen(tree)
}

/** A reply that was never finished, and that the model doesn't see. */
export function fileUnfinished(state: TreeState): void {
  omit(state, 'unfinished')
  fileUnseen(state)
}

/** Adds what `giving` gives as a unit of its own. */
function fileUnit(state: TreeState, giving: () => void): void {
  const first = state.drafts.given + 1
  giving()
  spanUnit(state.tree, startUnit(state.tree), first, state.drafts.given)
}

/** Adds what changes the view and is no message: its span stays empty. */
export function fileChange(state: TreeState, giving: () => void): void {
  closeReply(state)
  giving()
  const { drafts, tree } = state
  spanUnit(tree, startUnit(tree), drafts.given + 1, drafts.given)
}

/** Adds a compaction, which is never part of another one's tail. */
export function fileCompaction(state: TreeState, compacted: Compacted): void {
  fileChange(state, () => compact(state, compacted))
}

/** Gives what stands in the user's role; the harness's words go after the results of open calls. */
export function fileUser(
  state: TreeState,
  parts: readonly OriginPart[],
  metadata?: Metadata,
): void {
  const { conversation } = state
  const drafts = userMessages(parts, state.at, metadata)
  if (drafts.length === 0 || holds(conversation, drafts)) return fileUnseen(state)
  closeReply(state)
  conversation.open.clear()
  fileUnit(state, () => giveEntries(conversation, drafts))
}

/** Adds a reply, which stays open for the results of its calls. */
export function fileReply(state: TreeState, said: Omit<Reply, 'at'>): void {
  closeReply(state)
  const first = state.drafts.given + 1
  if (reply(state, said)) state.reply = { unit: startUnit(state.tree), first }
  else fileUnseen(state)
}

export function fileResult(state: TreeState, given: Omit<Result, 'at'>): void {
  const { conversation, at } = state
  const add = (): void => addResult(conversation, { ...given, at })
  if (conversation.open.has(given.toolCallId)) return add()
  closeReply(state)
  fileUnit(state, add)
}
