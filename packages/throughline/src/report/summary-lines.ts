import { parseForeignRef } from '../log/source.ts'
import { parseRef } from '../log/ref.ts'
import type { Facts } from '../facts/facts.ts'
import type { Ref, Seq } from '../log/entry.ts'
import type { SummaryLine } from './model.ts'

// A summary is some hundred lines long; what is beyond any measure is shown without evidence.
const mostLines = 3000
const longestLine = 4000
const mostFound = 6
// So many characters are somebody's own words, not a turn of phrase.
const ownWords = 40

/** A summary, and whether numbers in brackets are refs in it: those of other writers mean anything. */
export interface Summary {
  text: string
  hasRefs: boolean
}

/**
 * The lines of a summary with the entries that they rest on: those that a line cites, and those that
 * code finds by the names and words in it. Nothing after `upTo` is evidence.
 */
export function summaryLines(summary: Summary, facts: Facts, upTo: Seq): SummaryLine[] {
  const names = namesIn(facts)
  const requests = facts.requests.flatMap(({ text, seq }) => {
    const words = squeezed(text.slice(0, ownWords * 4)).slice(0, ownWords)
    return words.length < ownWords / 2 ? [] : [{ words, seq }]
  })
  return summary.text.split('\n').map((text, index) => {
    if (index >= mostLines || text.trim() === '') return { text, refs: [], found: [] }
    const looked = text.slice(0, longestLine)
    const cited = summary.hasRefs ? refsIn(looked) : []
    const refs = cited.filter((ref) => (parseRef(ref)?.seq ?? Infinity) <= upTo)
    if (refs.length > 0 || looked.startsWith('#')) return { text, refs, found: [] }
    const found = new Set<Seq>()
    for (const word of wordsOf(looked)) {
      for (const seq of names.get(word) ?? []) if (seq <= upTo) found.add(seq)
    }
    const said = squeezed(looked)
    for (const { words, seq } of requests) if (seq <= upTo && said.includes(words)) found.add(seq)
    const newest = [...found].sort((one, other) => one - other).slice(-mostFound)
    return { text, refs, found: newest }
  })
}

/** The refs that stand in brackets, ours and those of the log that a summary came from. */
function refsIn(line: string): Ref[] {
  const refs: Ref[] = []
  for (const [, inside = ''] of line.matchAll(/\[((?:q[0-9a-z]{5}:)?\d{1,15}(?:\.\d{1,9})?)\]/g)) {
    // A ref of another log points nowhere in this one.
    if (parseForeignRef(inside)) continue
    if (parseRef(inside) && !refs.includes(inside as Ref)) refs.push(inside as Ref)
  }
  return refs
}

/** Where the files and commands of a session occur, by every name that a line may call them. */
function namesIn({ files, commands }: Facts): Map<string, readonly Seq[]> {
  const names = new Map<string, readonly Seq[]>()
  const ambiguous = new Set<string>()
  for (const { path, seqs } of files.values()) {
    names.set(path, seqs)
    for (const end of endsOf(path)) {
      if (names.has(end) && names.get(end) !== seqs) ambiguous.add(end)
      else names.set(end, seqs)
    }
  }
  for (const name of ambiguous) if (!files.has(name)) names.delete(name)
  for (const { command, seqs } of commands.values()) {
    if (command.length > 3 && !command.includes(' ')) names.set(command, seqs)
  }
  return names
}

/** `b/c.ts` and `c.ts` of `a/b/c.ts`; a bare word such as `src` names no file. */
function endsOf(path: string): string[] {
  const parts = path.split('/')
  return [parts.slice(-2).join('/'), parts.at(-1) ?? ''].filter(
    (end) => end !== path && /[./]/.test(end) && end.length > 3,
  )
}

/** What may be a name: runs without spaces, quotes and brackets, with and without their directory. */
function wordsOf(line: string): string[] {
  const words = line.match(/[^\s`'"“”‘’()[\]{}<>,;|*]+/g) ?? []
  return words.flatMap((word) => {
    const bare = word.replace(/[:.!?]{1,8}$/, '').replace(/:\d{1,9}(?:[-:]\d{1,9})?$/, '')
    const parts = bare.split('/')
    return [bare, ...(parts.length > 2 ? [parts.slice(-2).join('/')] : []), parts.at(-1) ?? '']
  })
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
