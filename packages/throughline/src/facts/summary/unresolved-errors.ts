import { openErrors } from '../error-facts.ts'
import { errorsLabel } from '../labels.ts'
import { oneLine } from './clip-words.ts'
import type { Facts } from './known-facts.ts'
import type { Room } from './room.ts'
import type { Worth } from './ranking.ts'

/** The input for choosing a section's lines. */
interface FindingsInput {
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
