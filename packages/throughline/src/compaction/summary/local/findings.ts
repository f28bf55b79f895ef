import { oneLine } from './one-line.ts'
import type { Index } from '../index/facts.ts'
import type { Room } from './room.ts'
import type { Worth } from './worth.ts'

/** What a section's lines are chosen by. */
export interface FindingsInput {
  room: Room
  tokens: number
  worth: Worth
  /** Text that stands beside the summary. */
  beside: string
}

/** What the assistant found, decided or finished, in its own words and in order of time. */
export function conclusions(index: Index, { room, tokens, worth, beside }: FindingsInput): string[] {
  const each = Math.min(Math.max(Math.floor(tokens / 6), 24), 160)
  const ranked = index.conclusions
    .filter(({ text }) => !beside.includes(text))
    .map((fact) => ({ fact, value: worth.ofAge(fact.seq) * worth.ofFocus(fact.text) }))
    .toSorted((a, b) => b.value - a.value || b.fact.seq - a.fact.seq)
    .slice(0, 100)
  const bySeq = new Map(
    ranked.map(({ fact }) => [`- ${room.clip(oneLine(fact.text), each)} [${fact.seq}]`, fact.seq]),
  )
  const taken = room.takeFitting(bySeq.keys(), tokens)
  return taken.toSorted((a, b) => (bySeq.get(a) ?? 0) - (bySeq.get(b) ?? 0))
}

/** Errors that nothing has shown to be gone, newest first chosen, oldest first told. */
export function unresolvedErrors(index: Index, { room, tokens, worth }: FindingsInput): string[] {
  const label = 'Errors not seen to be solved:'
  const each = Math.min(Math.max(Math.floor(tokens / 3), 24), 100)
  const lines = index.errors
    .filter(({ resolvedBy }) => resolvedBy === undefined)
    .map((fact) => ({ fact, value: worth.ofAge(fact.seq) * worth.ofFocus(fact.text) }))
    .toSorted((a, b) => b.value - a.value || b.fact.seq - a.fact.seq)
    .slice(0, 40)
    .map(({ fact }) => {
      const owner = fact.owner === '' ? '' : `${oneLine(room.clip(fact.owner, 24))}: `
      return `- ${owner}${room.clip(oneLine(fact.text), each)} [${fact.seq}]`
    })
  const taken = room.takeFitting(new Set(lines), tokens - room.cost(label))
  return taken.length === 0 ? [] : [...room.take([label]), ...taken.reverse()]
}

/** Where the work happens: what paths are relative to. */
export function environment(index: Index, room: Room, tokens: number): string[] {
  const [directory] = index.directories
  if (directory === undefined) return []
  return room.takeFitting([`Paths are relative to ${directory}.`], tokens)
}
