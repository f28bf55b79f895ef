export type Fields = Record<string, unknown>

/** Texts, at any depth, that aren't valid Unicode: no API accepts half a character in JSON. */
export function textProblems(value: unknown): string[] {
  if (typeof value === 'string') return value.isWellFormed() ? [] : ['half a character']
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    ...textProblems(name),
    ...textProblems(inner),
  ])
}
