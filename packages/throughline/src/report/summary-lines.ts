import { parseForeignRef } from '../log/source.ts'
import { parseRef } from '../log/ref.ts'
import type { Facts } from '../facts/facts.ts'
import type { Ref, Seq, Sources } from '../log/entry.ts'
import type { SummaryLine } from './model.ts'

// A summary is some hundred lines long; what is beyond any measure is shown without evidence.
const mostLines = 3000
const longestLine = 4000
const mostFound = 6
// A shorter text may be a turn of phrase.
const ownWords = 40

/** A summary, and whether numbers in brackets are refs in it: those of other writers mean anything. */
export interface Summary {
  text: string
  hasRefs: boolean
}

/**
 * The lines of a summary with the entries that they rest on: those that a line cites, here or in the
 * session that it came from, and those that code finds by the names and words in it. Nothing after
 * `upTo` is evidence.
 */
export function summaryLines(
  summary: Summary,
  { facts, sources }: { facts: Facts; sources: Sources },
  upTo: Seq,
): SummaryLine[] {
  const names = namesIn(facts)
  const requests = facts.requests.flatMap(({ text, seq }) => {
    const words = squeezed(text.slice(0, ownWords * 4)).slice(0, ownWords)
    return words.length < ownWords / 2 ? [] : [{ words, seq }]
  })
  return summary.text.split('\n').map((text, index) => {
    if (index >= mostLines || text.trim() === '') {
      return { text, refs: [], elsewhere: [], found: [] }
    }
    const looked = text.slice(0, longestLine)
    const inBrackets = bracketsIn(looked)
    const cited = summary.hasRefs ? inBrackets.filter(isRef) : []
    const refs = cited.filter((ref) => (parseRef(ref)?.seq ?? Infinity) <= upTo)
    const elsewhere = inBrackets.flatMap((inside) => elsewhereOf(inside, sources))
    if (refs.length + elsewhere.length > 0 || looked.startsWith('#')) {
      return { text, refs, elsewhere, found: [] }
    }
    const found = new Set<Seq>()
    for (const word of wordsOf(looked)) {
      for (const seq of names.get(word) ?? []) if (seq <= upTo) found.add(seq)
    }
    const said = squeezed(looked)
    for (const { words, seq } of requests) if (seq <= upTo && said.includes(words)) found.add(seq)
    const newest = [...found].sort((one, other) => one - other).slice(-mostFound)
    return { text, refs, elsewhere, found: newest }
  })
}

/** What is in brackets and may be a ref, of this log or of one that a summary came from. */
function bracketsIn(line: string): string[] {
  const found = line.matchAll(/\[((?:q[0-9a-z]{5}:)?\d{1,15}(?:\.\d{1,9})?)\]/g)
  return [...new Set([...found].map(([, inside = '']) => inside))]
}

function isRef(inside: string): inside is Ref {
  return parseRef(inside) !== undefined
}

/** A ref of another log points nowhere in this one, but there. */
function elsewhereOf(inside: string, sources: Sources): SummaryLine['elsewhere'] {
  const foreign = parseForeignRef(inside)
  const source = foreign && sources[foreign.alias]
  return foreign && source ? [{ source, ref: foreign.ref }] : []
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
