import { addFile, filesIn, isKnownDirectory, placeFile } from './file-tree.ts'
import { hasForgottenFilesIn, isForgottenFile } from './forget/forgotten.ts'
import { mostSeqs, noteSeq } from './forget/note-seq.ts'
import { ownText } from './own-text.ts'
import type { FileFact, FileState } from './facts.ts'
import { wasTold, type FactsState } from './fold-memory.ts'
import type { Seq } from '../log/entry.ts'

export function noteRead(facts: FactsState, path: string, seq: Seq): void {
  const file = touch(facts, path, seq)
  if (!wasTold(facts, 'read', path)) file.reads++
  if (file.state === 'deleted') place(facts, file, existing(facts, file))
}

/** A file was written whole. If the session knew it before, it counts as changed. */
export function noteCreated(facts: FactsState, path: string, seq: Seq): void {
  const known = facts.files.get(path)
  if (known === undefined && !isForgottenFile(facts, path)) {
    const file = touch(facts, path, seq)
    file.state = 'created'
    facts.memory.born.add(file.path)
    noteChange(facts, path, seq)
  } else {
    noteEdited(facts, path, seq)
  }
}

export function noteEdited(facts: FactsState, path: string, seq: Seq): void {
  const file = touch(facts, path, seq)
  if (!wasTold(facts, 'change', path)) file.edits++
  noteChange(facts, path, seq)
  const stays = file.state === 'renamed' && file.to === undefined
  delete file.to
  if (!stays) place(facts, file, existing(facts, file))
}

/** No more changes than this are remembered. */
const MOST_CHANGES = 200

function noteChange({ files, memory }: FactsState, name: string, seq: Seq): void {
  const path = files.get(name)?.path ?? ownText(name)
  memory.changes.push({ path, seq })
  if (memory.changes.length > 2 * MOST_CHANGES) memory.changes = memory.changes.slice(-MOST_CHANGES)
}

/** A file is gone; for a directory, every known file in it, and itself where files are forgotten. */
export function noteDeleted(facts: FactsState, path: string, seq: Seq, tree = false): void {
  const known = tree && isKnownDirectory(facts.files, path)
  if (known) for (const inside of filesIn(facts.files, path)) remove(facts, inside, seq)
  const isFile = !known && (!tree || facts.files.has(path))
  if (isFile || (tree && hasForgottenFilesIn(facts, path))) remove(facts, path, seq)
}

function remove(facts: FactsState, path: string, seq: Seq): void {
  place(facts, touch(facts, path, seq), 'deleted')
}

/** A file was renamed, or a directory with the known files in it. */
export function noteRenamed(facts: FactsState, path: string, to: string, seq: Seq): void {
  if (path === to) return
  if (facts.files.has(path) || !isKnownDirectory(facts.files, path)) {
    return renameFile(facts, path, to, seq)
  }
  for (const inside of filesIn(facts.files, path)) {
    renameFile(facts, inside, to + inside.slice(path.length), seq)
  }
  if (hasForgottenFilesIn(facts, path)) renameFile(facts, path, to, seq)
}

function renameFile(facts: FactsState, path: string, to: string, seq: Seq): void {
  const source = touch(facts, path, seq)
  const origin = source.from ?? path
  const born = facts.memory.born.has(path)
  const target = touch(facts, to, seq)
  source.to = target.path
  place(facts, source, 'renamed')
  target.edits += source.edits
  delete target.to
  if (origin === to) {
    delete target.from
    place(facts, target, existing(facts, target))
    return
  }
  target.from = origin
  place(facts, target, born ? 'created' : 'renamed')
  if (born) facts.memory.born.add(target.path)
}

function place(facts: FactsState, file: FileFact, state: FileState): void {
  file.state = state
  placeFile(facts.files, file)
}

/** The state of an existing file: changed, or only read. */
function existing(facts: FactsState, file: FileFact): FileState {
  if (facts.memory.born.has(file.path)) return 'created'
  return file.edits > 0 ? 'edited' : 'read'
}

function touch(facts: FactsState, path: string, seq: Seq): FileFact {
  let file = facts.files.get(path)
  if (file === undefined) {
    file = { path: ownText(path), state: 'read', reads: 0, edits: 0, seqs: [seq] }
    addFile(facts.files, file)
  }
  noteSeq(file, seq)
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
    seqs: [...new Set([...older.seqs, ...newer.seqs])].toSorted((a, b) => a - b).slice(-mostSeqs),
  }
}
