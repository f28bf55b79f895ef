import type { FileFact, FileState } from './facts.ts'
import type { IndexState } from './fold-memory.ts'
import type { Seq } from '../log/entry.ts'

/** The newest ranges say which part of a long file matters now. */
const MOST_RANGES = 16

export function noteRead(
  index: IndexState,
  path: string,
  seq: Seq,
  range?: [first: number, last: number],
): void {
  const file = touch(index, path, seq)
  file.reads++
  if (file.state === 'deleted') file.state = existing(index, file)
  if (!range || range[0] > range[1]) return
  file.ranges.push(range)
  if (file.ranges.length > MOST_RANGES) file.ranges.shift()
}

/** A file was written whole. One that the session knew before has been changed by it. */
export function noteCreated(index: IndexState, path: string, seq: Seq): void {
  const known = index.files.get(path)
  if (known === undefined) {
    index.memory.born.add(path)
    touch(index, path, seq).state = 'created'
  } else {
    noteEdited(index, path, seq)
  }
}

export function noteEdited(index: IndexState, path: string, seq: Seq): void {
  const file = touch(index, path, seq)
  file.edits++
  if (file.state !== 'renamed' || file.to !== undefined) file.state = existing(index, file)
  delete file.to
}

/** A file is gone; of a tree, every file that the session knows of. */
export function noteDeleted(index: IndexState, path: string, seq: Seq, tree = false): void {
  const inside = tree ? filesIn(index, path) : []
  if (inside.length === 0 && tree && !index.files.has(path)) return
  if (inside.length === 0) touch(index, path, seq).state = 'deleted'
  for (const file of inside) if (isThere(file)) touch(index, file.path, seq).state = 'deleted'
}

/** A file, or a directory with what the session knows in it, has another name. */
export function noteRenamed(index: IndexState, path: string, to: string, seq: Seq): void {
  if (path === to) return
  const inside = index.files.has(path) ? [] : filesIn(index, path)
  for (const file of inside) {
    if (isThere(file)) renameFile(index, file.path, to + file.path.slice(path.length), seq)
  }
  if (inside.length === 0) renameFile(index, path, to, seq)
}

function renameFile(index: IndexState, path: string, to: string, seq: Seq): void {
  const source = touch(index, path, seq)
  const origin = source.from ?? path
  const born = index.memory.born.has(path)
  source.state = 'renamed'
  source.to = to
  const target = touch(index, to, seq)
  target.edits += source.edits
  delete target.to
  if (origin === to) {
    delete target.from
    target.state = existing(index, target)
    return
  }
  target.from = origin
  target.state = born ? 'created' : 'renamed'
  if (born) index.memory.born.add(to)
}

function isThere(file: FileFact): boolean {
  return file.state !== 'deleted' && (file.state !== 'renamed' || file.to === undefined)
}

/** What a file is that is there and has been changed, or only read. */
function existing(index: IndexState, file: FileFact): FileState {
  if (index.memory.born.has(file.path)) return 'created'
  return file.edits > 0 ? 'edited' : 'read'
}

function filesIn(index: IndexState, directory: string): FileFact[] {
  const prefix = `${directory}/`
  return [...index.files.values()].filter(({ path }) => path.startsWith(prefix))
}

function touch(index: IndexState, path: string, seq: Seq): FileFact {
  let file = index.files.get(path)
  if (file === undefined) {
    file = { path, state: 'read', reads: 0, edits: 0, ranges: [], seqs: [] }
    index.files.set(path, file)
  }
  if (file.seqs.at(-1) !== seq) file.seqs.push(seq)
  return file
}

/** One fact of two that turned out to be about the same file. */
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
