/** Counts the tokens of a text. Must be fast and must never throw. */
export type CountTokens = (text: string) => number
