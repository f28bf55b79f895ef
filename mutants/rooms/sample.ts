import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'

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

/** Depends on what the mutant is, and not on the folder in which Stryker has it. */
function rankOf({ fileName, mutatorName, replacement, location }: Mutated, seed: string): string {
  const file = fileName.slice(fileName.indexOf('/src/'))
  return createHash('sha256')
    .update(JSON.stringify([seed, file, mutatorName, replacement, location]))
    .digest('hex')
}

interface CheckResult {
  status: 'passed' | 'compileError'
  reason?: string
}

const setting = (): Sample & { file: string } =>
  JSON.parse(process.env['THROUGHLINE_MUTANT_SAMPLE'] ?? '{}') as Sample & { file: string }

/** Stryker asks its checkers which mutants are worth a test run: only those in the sample are. */
class SampleChecker {
  async init(): Promise<void> {}

  async group(mutants: readonly Mutated[]): Promise<string[][]> {
    const { file, ...sample } = setting()
    writeFileSync(file, JSON.stringify(picked(mutants, sample).map(({ id }) => id)))
    return [mutants.map(({ id }) => id)]
  }

  async check(mutants: readonly Mutated[]): Promise<Record<string, CheckResult>> {
    const ids = new Set(JSON.parse(readFileSync(setting().file, 'utf8')) as string[])
    const result = ({ id }: Mutated): CheckResult =>
      ids.has(id)
        ? { status: 'passed' }
        : { status: 'compileError', reason: 'It is not in the sample.' }
    return Object.fromEntries(mutants.map((mutant) => [mutant.id, result(mutant)]))
  }
}

/** How Stryker finds the checker in this file. */
export const strykerPlugins = [{ kind: 'Checker', name: 'sample', injectableClass: SampleChecker }]
