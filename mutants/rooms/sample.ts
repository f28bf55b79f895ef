import { createHash } from 'node:crypto'

/** Which mutants of a run are tried. */
export interface Sample {
  size: number
  /** Another seed picks others. */
  seed: string
}

/** A mutant, as far as it decides whether it is picked. */
export interface Mutated {
  id: string
  fileName: string
  mutatorName: string
  replacement: string
  location: unknown
}

/** So many mutants, always the same for the same seed and the same code. */
export function picked<Mutant extends Mutated>(
  mutants: readonly Mutant[],
  { size, seed }: Sample,
): Mutant[] {
  const ranked = mutants.map((mutant) => ({ mutant, rank: rankOf(mutant, seed) }))
  return ranked
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, size)
    .map(({ mutant }) => mutant)
}

/** Depends on what the mutant is, and not on the folder of the copy. */
function rankOf({ fileName, mutatorName, replacement, location }: Mutated, seed: string): string {
  const file = fileName.slice(fileName.indexOf('/src/'))
  return createHash('sha256')
    .update(JSON.stringify([seed, file, mutatorName, replacement, location]))
    .digest('hex')
}
