import type { FailedChange, WrittenLines } from '../fold-memory.ts'
import { hashOf } from '../forget/hash-set.ts'
import { itemsOf, textOf } from '../lenses/arguments.ts'
import { givesReason, isDoing } from './announced.ts'
import type { FactsState } from '../fold-memory.ts'
import type { StatementFact } from '../facts.ts'
import type { Seq } from '../../log/entry.ts'

/** What a call did to a file: the lines that it wrote, and those that it took away. */
export interface Rewrite {
  path: string
  added: string
  removed: string
  /** The file is new, or written as a whole: what stood there is gone. */
  whole: boolean
}

/** So many of the newest changes are remembered, and so many lines of each. */
const MOST_CHANGES = 40
const MOST_LINES = 200
/** Shorter lines stand everywhere. */
const SHORTEST_LINE = 6

/** Where no more of it is left, a comment does not hold; nor what was said of it just before. */
const HARDLY = 0.1
const LITTLE = 0.4

/** Who comes back to an attempt later than so many entries does something else. */
const SOON = 16
/** Who writes lines anew after so few entries had not got them right. */
const AT_ONCE = 6

/**
 * Notes what a call changed, and marks as overtaken what was said of lines that it takes away, and
 * of attempts at the same file that failed: once it is done, nobody asks how.
 * @param said what was said and thought in its step, and what it wrote for a reader.
 */
export function noteRewrite(
  facts: FactsState,
  { path, added, removed, whole }: Rewrite,
  { said, seq }: { said: readonly StatementFact[]; seq: Seq },
): void {
  const { memory } = facts
  settleAttempts(facts, path, seq)
  const before = linesOf(removed)
  const after = linesOf(added)
  memory.written = memory.written.flatMap((one): WrittenLines[] => {
    if (one.path !== path) return [one]
    const lines = one.lines.filter((line) => after.has(line) || !(whole || before.has(line)))
    if (lines.length === one.lines.length) return [one]
    for (const fact of one.said) {
      // What was written to a file is a part of it.
      const isPart = fact.source === 'comment' || fact.source === 'document'
      const isFresh = !isPart && seq - fact.seq <= AT_ONCE && isAside(fact)
      const most = isPart ? one.of * HARDLY : isFresh ? one.of * LITTLE : -1
      if (lines.length <= most) fact.overtakenBy = seq
    }
    return lines.length === 0 ? [] : [{ ...one, lines }]
  })
  const lines = [...after].filter((line) => !before.has(line)).slice(0, MOST_LINES)
  if (lines.length > 0) memory.written.push({ path, lines, of: lines.length, said: [...said] })
  memory.written = memory.written.slice(-MOST_CHANGES)
}

/** Notes that files were not changed, though they should have been. */
export function noteFailedChange(
  { memory }: FactsState,
  change: Pick<FailedChange, 'paths' | 'seq'>,
): void {
  const last = memory.changes.at(-1)
  const mends =
    last !== undefined && change.paths.includes(last.path) && change.seq - last.seq <= AT_ONCE / 2
  memory.attempts.push({ ...change, said: [...memory.turn.step], ...(mends && { mends }) })
}

/** A file was changed at last: what was done first says what, and what came between, nothing. */
function settleAttempts({ memory, statements }: FactsState, path: string, seq: Seq): void {
  const own = memory.attempts.filter(({ paths }) => paths.includes(path))
  const [first] = own
  const last = own.at(-1)
  if (first === undefined || last === undefined) return
  memory.attempts = memory.attempts.filter((one) => !own.includes(one))
  if (seq - last.seq > SOON) return
  for (const fact of first.said) {
    if (isDoing(fact.text)) fact.worked = true
    // What was wrong with a change is of no use once it is mended.
    else if (first.mends && isAside(fact)) fact.overtakenBy = seq
  }
  const isDirect = seq - last.seq <= 2
  for (let at = statements.length - 1; at >= 0; at--) {
    const fact = statements[at] as StatementFact
    if (fact.seq <= first.seq) break
    // The next words after an attempt say why it failed.
    const isNext = own.some((one) => fact.seq > one.seq && fact.seq - one.seq <= 2)
    const isSaid = isNext && isWords(fact) && !isDoing(fact.text)
    if ((isDirect || fact.seq < seq) && (isSaid || isAside(fact))) fact.overtakenBy = seq
  }
}

/** What is said at work, with no reason given: who knows the outcome misses nothing. */
function isAside(fact: StatementFact): boolean {
  return isWords(fact) && !givesReason(fact.text)
}

function isWords({ source }: StatementFact): boolean {
  return source === 'remark' || source === 'thought'
}

function linesOf(text: string): Set<number> {
  const lines = new Set<number>()
  for (const line of text.split('\n')) {
    const words = line.trim()
    if (words.length >= SHORTEST_LINE) lines.add(hashOf(words, words.length))
  }
  return lines
}

const WRITTEN = [
  'content',
  'file_text',
  'new_string',
  'newString',
  'new_str',
  'newText',
  'replacement',
  'contents',
  'text',
]
const REMOVED = ['old_string', 'oldString', 'old_str', 'oldText', 'search']

/** What the input of a call writes to the file that it names. */
export function writtenText(input: unknown): string {
  return textsIn(input, WRITTEN)
}

/** What it takes away. */
export function removedText(input: unknown): string {
  return textsIn(input, REMOVED)
}

function textsIn(input: unknown, keys: readonly string[]): string {
  const own = textOf(input, ...keys)
  if (own !== undefined) return own
  return itemsOf(input, 'edits')
    .map((edit) => textsIn(edit, keys))
    .join('\n\n')
}
