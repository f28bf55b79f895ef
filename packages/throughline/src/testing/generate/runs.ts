/** How many cases a property runs through: a sample, or many with `npm run test:full`. */
export const full = process.env['THROUGHLINE_FULL'] !== undefined

export function runs(sample: number): { numRuns: number } {
  return { numRuns: full ? sample * 20 : sample }
}
