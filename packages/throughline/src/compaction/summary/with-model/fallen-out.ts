import { sharedTerms, termsOf } from './summarizer.ts'
import { listsOtherNames } from '../../../facts/labels.ts'
import { coreSection } from '../../../facts/summary/sections/core-sections.ts'
import { parseSections } from '../../../facts/sections.ts'
import type { Facts } from '../../../facts/facts.ts'
import type { Seq } from '../../../log/entry.ts'

/** A line of an earlier summary that its update left out. */
export interface FallenOut {
  /** The heading that it stood under. */
  heading: string
  line: string
}

/** With fewer terms than this a line is a label, or says hardly anything. */
const leastTerms = 4

/** The share of a line's terms that one line of the update must hold, or all of it together. */
const inOneLine = 0.5
const inAll = 0.85

/**
 * The lines of an earlier summary that its update says nothing of any more, though nothing in the
 * log since then is a reason: what a file's line said is overtaken by work on that file that the
 * update tells of, and what was still to do by anything that it says about the same things. Lines
 * that carry refs are code's own and come from the log.
 */
export function fallenOut(
  previous: string,
  updated: string,
  { facts, since }: { facts: Facts; since: Seq },
): FallenOut[] {
  const lines = updated.split('\n').map(termsOf)
  const all = new Set(lines.flatMap((terms) => [...terms]))
  const out: FallenOut[] = []
  for (const { heading, body } of parseSections(previous).sections) {
    if (coreSection(heading)?.isLasting !== true) continue
    let isOfCode = false
    for (const line of body.split('\n')) {
      // An indented line continues the line above.
      if (!/^\s/.test(line)) isOfCode = hasRef.test(line)
      if (isOfCode || hasRef.test(line) || line.trim().endsWith(':') || !isStatement(line)) continue
      const terms = termsOf(line)
      if (terms.size < leastTerms) continue
      if (sharedTerms(terms, all) >= inAll) continue
      if (lines.some((said) => sharedTerms(terms, said) >= inOneLine)) continue
      if (isOvertaken(line, terms, { all, updated, facts, since })) continue
      out.push({ heading, line: line.trimEnd() })
    }
  }
  return out
}

const hasRef = /\[(?:q[0-9a-z]{5}:)?\d{1,9}(?:\.\d{1,5})?\]/

const open =
  /\b(?:next|to ?do|pending|still (?:open|missing|to)|remain(?:s|ing)|not yet|in progress|under way|unfinished|waiting)\b/i

function isOvertaken(
  line: string,
  terms: ReadonlySet<string>,
  {
    all,
    updated,
    facts,
    since,
  }: { all: ReadonlySet<string>; updated: string; facts: Facts; since: Seq },
): boolean {
  const specific = [...terms].filter((term) => /[^a-z]/.test(term))
  if (open.test(line) && specific.some((term) => all.has(term))) return true
  for (const { path, seqs, state } of facts.files.values()) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (state === 'read' || (seqs.at(-1) ?? 0) <= since || name.length < 4) continue
    if (line.includes(name) && updated.includes(name)) return true
  }
  return false
}

/** With fewer plain words than this a line is a list of names. */
const leastWords = 3

/** Words that are no part of a path or an identifier. A full stop after one ends a sentence. */
const plainWords =
  /(?<![\p{L}\p{N}_./-])\p{L}{3,}(?![\p{L}\p{N}-]*(?:[\p{N}_/]|\.[\p{L}\p{N}_/]))/gu

/** Names, which have a place of their own: how files were used, and what was named in a directory. */
const names =
  /^(?:- \S+ \((?:edited|read|created|deleted|renamed)\b[^)\n]*\) \[|Paths are relative to |\S+\/\S*: (?!.*\. ))/

/** Whether a line says something, and does not only list names. */
export function isStatement(item: string): boolean {
  if (names.test(item) || listsOtherNames(item)) return false
  const words = item.match(plainWords) ?? []
  return words.length >= leastWords || /[^\p{ASCII}]{4}/u.test(item)
}
