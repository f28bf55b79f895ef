import { errorsLabel } from '../../../facts/labels.ts'
import { oneLine } from './clip-words.ts'
import { openErrors } from '../../../facts/error-facts.ts'
import type { ErrorFact } from '../../../facts/facts.ts'
import type { Facts } from './request.ts'
import type { Room } from './room.ts'
import type { Worth } from './ranking.ts'

/** The input for choosing a section's lines. */
export interface FindingsInput {
  room: Room
  tokens: number
  worth: Worth
}

/** Errors with no sign that they are gone. The newest are chosen first, and shown oldest first. */
export function unresolvedErrors(index: Facts, { room, tokens, worth }: FindingsInput): string[] {
  const label = errorsLabel
  const each = Math.min(Math.max(Math.floor(tokens / 3), 24), 100)
  const lines = openErrors(index)
    .map((fact) => ({ fact, value: worth.ofAge(fact.seq) * worth.ofFocus(fact.text) }))
    .toSorted((a, b) => b.value - a.value || b.fact.seq - a.fact.seq)
    .slice(0, 40)
    .map(({ fact }) => {
      const told = fact.owner === '' || fact.text.startsWith(fact.owner)
      const owner = told ? '' : `${oneLine(room.clip(fact.owner, 24))}: `
      return `- ${owner}${room.clip(oneLine(fact.text), each)} [${fact.seq}]`
    })
  const taken = room.takeFitting(new Set(lines), tokens - room.cost(label))
  return taken.length === 0 ? [] : [...room.take([label]), ...taken.toReversed()]
}

/**
 * What failed and passes now, with the files that were changed in between, one line for each
 * command that passed. The newest are chosen first, and shown oldest first.
 */
export function solvedErrors(index: Facts, { room, tokens, worth }: FindingsInput): string[] {
  const solved = index.errors.filter(({ cure, command }) => cure && command !== undefined)
  const bySuccess = Map.groupBy(solved, ({ resolvedBy, command }) => `${resolvedBy} ${command}`)
  const lines = [...bySuccess.values()]
    .flatMap((all) => {
      const newest = all.at(-1)
      return newest === undefined ? [] : [{ newest, others: all.length - 1 }]
    })
    .map(({ newest, others }) => ({
      line: solvedLine(newest, { others, room }),
      value: worth.ofAge(newest.seq) * worth.ofFocus(newest.text),
      seq: newest.seq,
    }))
    .toSorted((a, b) => b.value - a.value || b.seq - a.seq)
    .slice(0, 40)
  const taken = room.takeFitting(
    new Set(lines.map(({ line }) => line)),
    tokens - room.cost(solvedLabel),
  )
  return taken.length === 0 ? [] : [...room.take([solvedLabel]), ...taken.toReversed()]
}

const solvedLabel = 'What failed and passes now:'

function solvedLine(error: ErrorFact, { others, room }: { others: number; room: Room }): string {
  const { command = '', text, cure = [], resolvedBy } = error
  const more = others > 0 ? ` (and ${others} more)` : ''
  const told = room.clip(oneLine(text), 60)
  return `- \`${room.clip(oneLine(command), 30)}\`: ${told}${more} → changed ${cure.join(', ')} → ok [${resolvedBy}]`
}

/** The directory of the work, which paths are relative to. */
export function environment(index: Facts, room: Room, tokens: number): string[] {
  return (index.root ?? '') === ''
    ? []
    : room.takeFitting([`Paths are relative to ${index.root}.`], tokens)
}
