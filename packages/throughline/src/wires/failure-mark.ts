/** The mark at the start of an output whose call failed. */
export const failureMark = '[The call failed.]'

/** An output whose call failed, for an API that has no field for failures. */
export function markedFailure(text: string): string {
  return text === '' ? failureMark : `${failureMark}\n${text}`
}

/** The text after a mark; `undefined` if there is no mark. */
export function withoutFailureMark(text: string): string | undefined {
  if (!text.startsWith(failureMark)) return undefined
  const rest = text.slice(failureMark.length)
  // Text that we would not write is not our mark.
  if (rest === '') return ''
  return rest.startsWith('\n') && rest.length > 1 ? rest.slice(1) : undefined
}
