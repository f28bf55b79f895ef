import type { FileFact, FileState } from './facts.ts'
import type { FactsState } from './fold-memory.ts'
import type { Seq } from '../log/entry.ts'

/** The newest ranges show which part of a long file matters now. */
const MOST_RANGES = 16

export function noteRead(
  facts: FactsState,
  path: string,
  seq: Seq,
  range?: [first: number, last: number],
): void {
  const file = touch(facts, path, seq)
  file.reads++
  if (file.state === 'deleted') file.state = existing(facts, file)
  if (!range || range[0] > range[1]) return
  file.ranges.push(range)
  if (file.ranges.length > MOST_RANGES) file.ranges.shift()
}

/** A file was written whole. If the session knew it before, it counts as changed. */
export function noteCreated(facts: FactsState, path: string, seq: Seq): void {
  const known = facts.files.get(path)
  if (known === undefined) {
    facts.memory.born.add(path)
    touch(facts, path, seq).state = 'created'
  } else {
    noteEdited(facts, path, seq)
  }
}

export function noteEdited(facts: FactsState, path: string, seq: Seq): void {
  const file = touch(facts, path, seq)
  file.edits++
  if (file.state !== 'renamed' || file.to !== undefined) file.state = existing(facts, file)
  delete file.to
}

/** A file is gone; for a directory, every known file in it. */
export function noteDeleted(facts: FactsState, path: string, seq: Seq, tree = false): void {
  const inside = tree ? filesIn(facts, path) : []
  if (inside.length === 0 && tree && !facts.files.has(path)) return
  if (inside.length === 0) touch(facts, path, seq).state = 'deleted'
  for (const file of inside) if (isThere(file)) touch(facts, file.path, seq).state = 'deleted'
}

/** A file was renamed, or a directory with the known files in it. */
export function noteRenamed(facts: FactsState, path: string, to: string, seq: Seq): void {
  if (path === to) return
  const inside = facts.files.has(path) ? [] : filesIn(facts, path)
  for (const file of inside) {
    if (isThere(file)) renameFile(facts, file.path, to + file.path.slice(path.length), seq)
  }
  if (inside.length === 0) renameFile(facts, path, to, seq)
}

function renameFile(facts: FactsState, path: string, to: string, seq: Seq): void {
  const source = touch(facts, path, seq)
  const origin = source.from ?? path
  const born = facts.memory.born.has(path)
  source.state = 'renamed'
  source.to = to
  const target = touch(facts, to, seq)
  target.edits += source.edits
  delete target.to
  if (origin === to) {
    delete target.from
    target.state = existing(facts, target)
    return
  }
  target.from = origin
  target.state = born ? 'created' : 'renamed'
  if (born) facts.memory.born.add(to)
}

function isThere(file: FileFact): boolean {
  return file.state !== 'deleted' && (file.state !== 'renamed' || file.to === undefined)
}

/** The state of an existing file: changed, or only read. */
function existing(facts: FactsState, file: FileFact): FileState {
  if (facts.memory.born.has(file.path)) return 'created'
  return file.edits > 0 ? 'edited' : 'read'
}

function filesIn(facts: FactsState, directory: string): FileFact[] {
  const prefix = `${directory}/`
  return [...facts.files.values()].filter(({ path }) => path.startsWith(prefix))
}

function touch(facts: FactsState, path: string, seq: Seq): FileFact {
  let file = facts.files.get(path)
  if (file === undefined) {
    file = { path, state: 'read', reads: 0, edits: 0, ranges: [], seqs: [] }
    facts.files.set(path, file)
  }
  if (file.seqs.at(-1) !== seq) file.seqs.push(seq)
  return file
}

/** Merges two facts that turned out to be about the same file. */
export function mergeFiles(first: FileFact, second: FileFact, born: boolean): FileFact {
  const [older, newer] =
    (first.seqs.at(-1) ?? 0) <= (second.seqs.at(-1) ?? 0) ? [first, second] : [second, first]
  const changed = newer.state === 'read' ? older : newer
  const state = changed.state === 'edited' && born ? 'created' : changed.state
  return {
    ...older,
    ...newer,
    state,
    reads: older.reads + newer.reads,
    edits: older.edits + newer.edits,
    ranges: [...older.ranges, ...newer.ranges].slice(-MOST_RANGES),
    seqs: [...new Set([...older.seqs, ...newer.seqs])].toSorted((a, b) => a - b),
  }
}
