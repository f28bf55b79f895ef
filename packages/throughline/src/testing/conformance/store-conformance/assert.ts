import { differenceOf } from '../same-data.ts'
import type { Entry } from '../../../log/entry.ts'

export function seqs(entries: readonly Entry[]): number[] {
  return entries.map(({ seq }) => seq)
}

export function texts(entries: readonly Entry[]): unknown[] {
  return entries.map((entry) => (entry.kind === 'message' ? entry.message.content : entry.kind))
}

/** @throws Error if the two differ as data. */
export function same(actual: unknown, expected: unknown): void {
  const difference = differenceOf(actual, expected)
  if (difference !== undefined) throw new Error(`The store returned something else: ${difference}.`)
}
