import { readLabel } from './labels.ts'
import { noteStatement } from './note-statements.ts'
import type { StatementFact } from '../facts.ts'
import type { FactsState } from '../fold-memory.ts'

/** A ref as it stands at the end of a line, with the name of its log if it left it. */
export const refMark = String.raw` \[(?:q[0-9a-z]{5}:)?\d[\d.]*\]`

/** An item of a list with the lines that belong to it, without its mark and its ref. */
export function itemAt(lines: readonly string[], at: number): { text: string; last: number } {
  let last = at
  const own = [(lines[at] ?? '').slice(2).replace(firstRef, '')]
  while (lines[last + 1]?.startsWith('  ') === true) own.push((lines[++last] ?? '').slice(2))
  return { text: own.join('\n'), last }
}

export const firstRef = /^\[(?:q[0-9a-z]{5}:)?\d[\d.]*\] /
const saidNo = /^\(the human said no(?: \[(?:q[0-9a-z]{5}:)?\d[\d.]*\])?\) /

const lastRefs = new RegExp(`(?:${refMark})+$`)

/** A line without the refs at its end: they belong to the log in which it was written. */
export function withoutRef(line: string): string {
  return line.replace(lastRefs, '')
}

/** Takes an item of a summary back as the statement that it was. */
export function readStatement(
  facts: FactsState,
  written: string,
  told: Omit<StatementFact, 'text'>,
): void {
  const text = withoutRef(written).replace(saidNo, '')
  const disputed = saidNo.test(written) ? { disputedBy: told.seq } : {}
  const carried = { ...told, ...disputed, carried: true as const }
  const [first = ''] = text.split('\n', 1)
  const labelled = readLabel(first)
  if (labelled === undefined) return void noteStatement(facts, { ...carried, text })
  const { label, rest } = labelled
  const body = `${rest}\n${text.slice(first.length + 1)}`.trim()
  noteStatement(facts, { ...carried, ...label, text: body })
}
