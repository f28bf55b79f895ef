import type { StatementFact, StatementSource } from '../facts.ts'

/** What introduces a statement that the assistant did not say itself. */
const LABELS: readonly { source: StatementSource; begin: string; end: string }[] = [
  { source: 'plan', begin: 'The approved plan', end: ':' },
  { source: 'asked', begin: 'The human was asked', end: ':' },
  { source: 'report', begin: 'A sub-agent reported', end: ':' },
  { source: 'instructions', begin: 'Instructions that were loaded', end: ':' },
  { source: 'comment', begin: 'Comments written in', end: ':' },
  { source: 'document', begin: '', end: ' says:' },
  { source: 'message', begin: 'Written with', end: ':' },
]

/** What stands before a statement, so that a reader knows whose words they are. */
export function statementLabel({ source, about }: Pick<StatementFact, 'source' | 'about'>): string {
  const label = LABELS.find((each) => each.source === source)
  if (label === undefined) return ''
  const { begin, end } = label
  if (about === undefined) return begin === '' ? '' : `${begin}${end}`
  if (begin === '') return `${about}${end}`
  const named = source === 'comment' || source === 'message' ? ` ${about}` : ` (${about})`
  return `${begin}${named}${end}`
}

/** Reads such a label back. */
export function readLabel(
  line: string,
): { label: Pick<StatementFact, 'source' | 'about'>; rest: string } | undefined {
  for (const { source, begin, end } of LABELS) {
    const at = line.indexOf(end, begin.length)
    if (!line.startsWith(begin) || at < 0 || at > 400) continue
    const named = line
      .slice(begin.length, at)
      .trim()
      .replace(/^\((.*)\)$/, '$1')
    if (source === 'document' && !/^[^:\n]{1,300}\.\w{1,8}$/.test(named)) continue
    const about = named === '' ? {} : { about: named }
    return { label: { source, ...about }, rest: line.slice(at + end.length).trim() }
  }
  return undefined
}

/** The line above the answer to which a kept message of the human replies. */
export const quotedAnswerLabel = '[The assistant had just said:]'

/** The line above the human's messages. */
export const messagesLabel = 'What the human said before, oldest first:'

/** The line above what was said of the work that was done. */
export const doneLabel = 'What was done, and why:'

/** The line above what says where the work stands. */
export const standLabel = 'Where the work stands:'

export const errorsLabel = 'Errors not known to be solved:'
