import { addFile as addKnownFile } from '../file-tree.ts'
import {
  readLabel,
  itemAt,
  readStatement,
  refMark,
  withoutRef,
} from '../statements/note-statements.ts'
import { recordNames } from '../names/record.ts'
import type { FileFact, FileState } from '../facts.ts'
import { noteTold, type FactsState } from '../fold-memory.ts'
import type { Seq } from '../../log/entry.ts'

const STATES: readonly FileState[] = ['created', 'edited', 'renamed', 'deleted']

/** `edited ×3 a.ts [4]` of one file, or `edited: a.ts ×3 [4], b.ts` of all in one state. */
export function readChange(facts: FactsState, line: string, seq: Seq): void {
  const all = /^(created|edited|renamed|deleted): (.*)$/.exec(line)
  if (all?.[2] !== undefined) {
    const state = STATES.find((known) => known === all[1]) ?? 'edited'
    const names = all[2].split(/(?<=\]), |, (?=[^\]]*$)|, (?![^[\]]*\])/)
    for (const name of names) readNamed(facts, withoutRef(name), state, seq)
    return
  }
  const one = /^(created|edited|renamed|deleted)(?: ×(\d+))? (.*)$/.exec(withoutRef(line))
  if (one?.[3] === undefined) return
  const state = STATES.find((known) => known === one[1]) ?? 'edited'
  const then = /^(.*?), (?:then )?edited(?: ×(\d+))?$/.exec(one[3])
  const renamed = /^(.*?) \(renamed from (.*)\)$/.exec(then?.[1] ?? one[3])
  const edits = Number(then ? (then[2] ?? 1) : (one[2] ?? (state === 'edited' ? 1 : 0)))
  const path = renamed?.[1] ?? then?.[1] ?? one[3]
  addFile(facts, { ...fromArrow(path, renamed?.[2]), state, edits }, seq)
}

function readNamed(facts: FactsState, name: string, state: FileState, seq: Seq): void {
  const counted = /^(.*) ×(\d+)$/.exec(name)
  const edits = counted ? Number(counted[2]) : state === 'edited' ? 1 : 0
  addFile(facts, { ...fromArrow(counted?.[1] ?? name), state, edits }, seq)
}

function fromArrow(path: string, from?: string): Pick<FileFact, 'path' | 'from'> {
  const [before, after] = path.split(' → ', 2)
  if (after !== undefined && before !== undefined) return { path: after, from: before }
  return { path, ...(from !== undefined && { from }) }
}

type ReadFile = Pick<FileFact, 'path' | 'from' | 'state' | 'edits'>

function addFile(facts: FactsState, { path, from, state, edits }: ReadFile, seq: Seq): void {
  if (path === '' || facts.files.has(path)) return
  const file: FileFact = { path, state, reads: 0, edits, seqs: [seq] }
  addKnownFile(facts.files, from === undefined ? file : { ...file, from })
  if (state === 'created') facts.memory.born.add(path)
  noteTold(facts, 'change', { name: path, times: edits + (state === 'created' ? 1 : 0) })
}

const fileLine = new RegExp(
  String.raw`^- (.+?) \(((?:created|edited|renamed|read)[^()]*)\)(?:${refMark})?(?::|$)`,
)

/** `src/a.ts: names`: of a file that has no line of its own. */
const ownerLine = /^([^\s:]{1,300}[/.][^\s:]{1,300}): (.+)$/

/** The names that a line lists belong to its file, as they did before. */
function readNames(
  facts: FactsState,
  names: string,
  { owner, seq }: { owner: string; seq: Seq },
): void {
  recordNames(facts, names, { use: 'summary', seq, owner, ownerIsFile: true })
}

/** `- a.ts (edited ×8, read ×2: 1-20 30-40) [3]: names`: how a file was used. */
export function readFileLines(facts: FactsState, body: string, seq: Seq): void {
  const lines = body.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const match = fileLine.exec(line)
    if (match === null && line.startsWith('- ')) {
      const item = itemAt(lines, at)
      at = item.last
      if (readLabel(item.text.split('\n', 1)[0] ?? '') !== undefined) {
        readStatement(facts, item.text, { seq, source: 'document' })
      }
      continue
    }
    const [, path, uses] = match ?? []
    if (path === undefined || uses === undefined) {
      const [, owner, names] = ownerLine.exec(line) ?? []
      if (owner !== undefined && names !== undefined) readNames(facts, names, { owner, seq })
      continue
    }
    const names = line.slice(match?.[0].length ?? 0)
    if (names !== '') readNames(facts, names, { owner: path, seq })
    const reads = Number(/\bread(?: ×(\d+))?/.exec(uses)?.[1] ?? (uses.includes('read') ? 1 : 0))
    noteTold(facts, 'read', { name: path, times: reads })
    const known = facts.files.get(path)
    if (known === undefined && uses.startsWith('read')) {
      addKnownFile(facts.files, { path, state: 'read', reads, edits: 0, seqs: [seq] })
    } else if (known?.seqs.at(-1) === seq && known.reads === 0) {
      known.reads = reads
      known.edits = Math.max(known.edits, Number(/edited ×(\d+)/.exec(uses)?.[1] ?? 0))
    }
  }
}
