import type { Seq } from '../../log/entry.ts'

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
export function newTree(): Tree {
  return { unitOf: new Map(), first: [1], last: [0], before: [0], changed: [0], newest: 0 }
}

/** Starts a unit after the newest one, and changes the view. */
export function startUnit(tree: Tree): number {
  const unit = startUnseen(tree)
  tree.changed[unit] = unit
  return unit
}

/** Starts a unit that the model doesn't see. */
export function startUnseen(tree: Tree): number {
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
export function viewAt(tree: Tree, unit: number): Seq {
  return tree.last[tree.changed[unit] ?? 0] ?? 0
}

/** Whether the model sees the same at the end of both units. */
export function sameView({ changed }: Tree, one: number, other: number): boolean {
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
