/**
 * Counts the tokens of a text, in whatever unit: what a session is given counts as its estimates
 * (`counterOf`). Must be fast and must never throw.
 */
export type CountTokens = (text: string) => number
