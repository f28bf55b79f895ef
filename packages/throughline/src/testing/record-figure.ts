import { appendFileSync } from 'node:fs'

/** A figure that a run of the tests has shown, for a page of the docs. */
export type Figure =
  /** What was counted: `fuzzed` records, or sessions of a `round trip`. */
  | { what: 'fuzzed' | 'round trip'; format: string; count: number }
  /** Attacks on the store and what it withstood; several of the same name add up. */
  | {
      what: 'kills' | 'acknowledged writes' | 'linearized histories' | 'linearized operations'
      count: number
    }

/**
 * Keeps a figure where the run is recorded (`npm run test:fuzz`); nothing otherwise. Several files
 * of tests may do so at the same time.
 */
export function recordFigure(figure: Figure): void {
  const file = process.env['THROUGHLINE_FIGURES']
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(figure)}\n`)
}
