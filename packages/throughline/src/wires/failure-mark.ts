/** What stands before an output that says that its call failed. */
export const failureMark = '[The call failed.]'

/** An output that says that its call failed, where an API has no other place for that. */
export function markedFailure(text: string): string {
  return text === '' ? failureMark : `${failureMark}\n${text}`
}

/** The text after a mark; `undefined` if there is no mark. */
export function withoutFailureMark(text: string): string | undefined {
  if (!text.startsWith(failureMark)) return undefined
  const rest = text.slice(failureMark.length)
  // What we would not write is no mark of ours.
  if (rest === '') return ''
  return rest.startsWith('\n') && rest.length > 1 ? rest.slice(1) : undefined
}
