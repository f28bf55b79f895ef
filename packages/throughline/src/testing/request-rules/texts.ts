export type Fields = Record<string, unknown>

/** Texts, at any depth, that are no Unicode: what JSON says of half a character no API takes. */
export function textProblems(value: unknown): string[] {
  if (typeof value === 'string') return value.isWellFormed() ? [] : ['half a character']
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    ...textProblems(name),
    ...textProblems(inner),
  ])
}
