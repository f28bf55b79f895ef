import { oneLine } from './clip-words.ts'
import type { Facts } from './request.ts'
import type { Room } from './room.ts'
import type { Worth } from './worth.ts'

/** The text that ended a turn was addressed to the human: it sums up the findings so far. */
const weightOfFinal = 3

/** The input for choosing a section's lines. */
export interface FindingsInput {
  room: Room
  tokens: number
  worth: Worth
  /** Text that appears next to the summary. */
  beside: string
}

/** What the assistant found, decided or finished, in its own words and in chronological order. */
export function conclusions(
  index: Facts,
  { room, tokens, worth, beside }: FindingsInput,
): string[] {
  const each = Math.min(Math.max(Math.floor(tokens / 6), 40), 160)
  const ranked = index.conclusions
    .map((fact) => ({
      fact,
      value: (fact.final ? weightOfFinal : 1) * worth.ofAge(fact.seq) * worth.ofFocus(fact.text),
    }))
    .toSorted((a, b) => b.value - a.value || b.fact.seq - a.fact.seq)
    .slice(0, 100)
    .filter(({ fact }) => !beside.includes(beginningOf(fact.text)))
  const bySeq = new Map(
    ranked.map(({ fact }) => [
      `- ${room.clip(oneLine(fact.text.replaceAll('**', '')), each)} [${fact.seq}]`,
      fact.seq,
    ]),
  )
  const taken = room.takeFitting(bySeq.keys(), tokens)
  return taken.toSorted((a, b) => (bySeq.get(a) ?? 0) - (bySeq.get(b) ?? 0))
}

/** Errors with no sign that they are gone. The newest are chosen first, and shown oldest first. */
export function unresolvedErrors(index: Facts, { room, tokens, worth }: FindingsInput): string[] {
  const label = 'Errors not known to be solved:'
  const each = Math.min(Math.max(Math.floor(tokens / 3), 24), 100)
  const lines = index.errors
    .filter(({ resolvedBy }) => resolvedBy === undefined)
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

/** The directory of the work, which paths are relative to. */
export function environment(index: Facts, room: Room, tokens: number): string[] {
  return (index.root ?? '') === ''
    ? []
    : room.takeFitting([`Paths are relative to ${index.root}.`], tokens)
}

/**
 * How much of a text to compare to see whether it appears next to the summary, where it may be
 * clipped.
 */
function beginningOf(text: string): string {
  return (text.split('\n', 1)[0] ?? '').slice(0, 80)
}
